// swift-tools-version: 6.2
import PackageDescription

// A separate package: libFuzzer brings the main function, which an ordinary build of the project does not link.
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
