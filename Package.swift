// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "purchase-events",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PurchaseEvents", targets: ["PurchaseEvents"]),
        .library(name: "PurchaseProjections", targets: ["PurchaseProjections"]),
        .executable(name: "replay", targets: ["replay"]),
    ],
    targets: [
        .target(name: "PurchaseEvents"),
        .target(name: "PurchaseProjections", dependencies: ["PurchaseEvents"]),
        .executableTarget(
            name: "replay", dependencies: ["PurchaseEvents", "PurchaseProjections"]),
        .executableTarget(
            name: "benchmark", dependencies: ["PurchaseEvents", "PurchaseProjections"],
            path: "Benchmarks/Parts"),
        .target(
            name: "TestSupport", dependencies: ["PurchaseEvents"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "log-driver", dependencies: ["PurchaseEvents"], path: "Tests/Crashes/Driver"),
        .testTarget(
            name: "PurchaseEventsTests",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "replay", "TestSupport"],
            exclude: ["Golden", "Docs/response.json"]),
        .testTarget(
            name: "PropertyTests",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "TestSupport"],
            exclude: ["Golden"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["PurchaseEvents", "PurchaseProjections", "replay", "TestSupport"],
            path: "Tests/Fuzz", exclude: ["Corpus", "run"]),
    ],
    swiftLanguageModes: [.v6]
)
