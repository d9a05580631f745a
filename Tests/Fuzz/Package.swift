// swift-tools-version: 6.2
import PackageDescription

// A separate package: libFuzzer provides the main function, so an ordinary build of the project can't link this target.
// Scripts/fuzz builds and runs it.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "bsc", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "ClipMedia", package: "bsc"),
        .product(name: "ClipModel", package: "bsc"),
        .product(name: "ISOMedia", package: "bsc"),
        .product(name: "LocationFormats", package: "bsc"),
        .product(name: "Privacy", package: "bsc"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
