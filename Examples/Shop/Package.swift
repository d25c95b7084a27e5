// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shop",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Shop", targets: ["Shop"])],
    dependencies: [.package(name: "purchase-events", path: "../..")],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "PurchaseEvents", package: "purchase-events"),
                .product(name: "PurchaseProjections", package: "purchase-events"),
                .product(name: "PurchaseRecorder", package: "purchase-events"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
