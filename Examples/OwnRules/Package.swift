// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "own-rules",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "purchase-events", path: "../..")],
    targets: [
        .executableTarget(
            name: "own-replay",
            dependencies: [
                .product(name: "PurchaseEvents", package: "purchase-events"),
                .product(name: "PurchaseProjections", package: "purchase-events"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
