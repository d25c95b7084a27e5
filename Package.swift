// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "purchase-events",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PurchaseEvents", targets: ["PurchaseEvents"]),
        .library(name: "PurchaseProjections", targets: ["PurchaseProjections"]),
        .library(name: "PurchaseSignatures", targets: ["PurchaseSignatures"]),
        .library(name: "PurchaseImport", targets: ["PurchaseImport"]),
        .library(name: "PurchaseSimulation", targets: ["PurchaseSimulation"]),
        .library(name: "PurchaseIncidents", targets: ["PurchaseIncidents"]),
        .library(name: "PurchaseRecorder", targets: ["PurchaseRecorder"]),
        .executable(name: "replay", targets: ["replay"]),
    ],
    targets: [
        .target(name: "PurchaseEvents"),
        .target(name: "PurchaseProjections", dependencies: ["PurchaseEvents"]),
        .target(name: "PurchaseSignatures", dependencies: ["PurchaseEvents"]),
        .target(name: "PurchaseImport", dependencies: ["PurchaseEvents", "PurchaseSignatures"]),
        .target(
            name: "PurchaseSimulation", dependencies: ["PurchaseEvents", "PurchaseSignatures"]),
        .target(
            name: "PurchaseIncidents", dependencies: ["PurchaseEvents", "PurchaseProjections"]),
        .target(
            name: "PurchaseRecorder",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "PurchaseImport"]),
        .executableTarget(
            name: "replay",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseSignatures", "PurchaseImport",
                "PurchaseSimulation", "PurchaseIncidents",
            ],
            exclude: [
                "Help/commands.txt", "Help/evidence.txt", "Help/Completion/Scripts",
                "Report/Page/page.css", "Report/Page/page.js",
            ]),
        .executableTarget(
            name: "benchmark",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseSignatures", "PurchaseImport",
                "PurchaseSimulation", "TestSigning", "TestSupport",
            ],
            path: "Benchmarks/Parts"),
        .target(
            name: "TestSupport",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "PurchaseSimulation"],
            path: "Tests/TestSupport"),
        .target(
            name: "TestSigning",
            dependencies: ["PurchaseEvents", "PurchaseSignatures", "PurchaseSimulation"],
            path: "Tests/TestSigning"),
        .executableTarget(
            name: "make-capture",
            dependencies: ["PurchaseEvents", "PurchaseImport", "TestSigning"],
            path: "Benchmarks/Capture"),
        .executableTarget(
            name: "log-driver", dependencies: ["PurchaseEvents"], path: "Tests/Crashes/Driver"),
        .testTarget(
            name: "PurchaseEventsTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseImport", "PurchaseSimulation",
                "PurchaseIncidents", "growth", "replay", "TestSupport",
            ],
            exclude: [
                "Golden", "Stories/Imports", "Stories/Mutations", "Stories/Projections",
                "Stories/Queue", "Stories/RuleFiles", "Stories/Rules", "Stories/Signed",
                "Stories/Tool", "Docs/response.json",
                "Chain/SHAVS.txt", "Projections/contradictions.txt",
            ]),
        .testTarget(
            name: "PurchaseImportTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseSignatures", "PurchaseImport",
                "PurchaseSimulation", "TestSigning", "TestSupport",
            ]),
        .testTarget(
            name: "SignatureTests",
            dependencies: [
                "PurchaseEvents", "PurchaseSignatures", "PurchaseSimulation", "TestSigning",
                "TestSupport",
            ]),
        .testTarget(
            name: "IncidentTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseImport", "PurchaseSimulation",
                "PurchaseIncidents", "replay", "TestSupport",
            ]),
        .target(
            name: "Shop",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "PurchaseRecorder"],
            path: "Examples/Shop/Sources/Shop"),
        .testTarget(
            name: "RecorderTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseImport", "PurchaseSimulation",
                "PurchaseIncidents", "PurchaseRecorder", "Shop", "TestSigning", "TestSupport",
            ]),
        .testTarget(
            name: "PropertyTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseSimulation", "TestSupport",
            ],
            exclude: ["Golden"]),
        .executableTarget(
            name: "growth", dependencies: ["PurchaseEvents"], path: "Tests/Growth",
            exclude: ["run"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "PurchaseEvents", "PurchaseProjections", "PurchaseSignatures", "PurchaseImport",
                "PurchaseSimulation", "replay", "TestSupport",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "run"]),
    ],
    swiftLanguageModes: [.v6]
)
