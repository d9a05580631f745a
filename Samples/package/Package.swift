// swift-tools-version: 6.2
import PackageDescription

// An example of a package that uses bsc. In your package, use the URL of the repository:
// .package(url: "https://example.com/bsc.git", branch: "main")
let package = Package(
  name: "Outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "bsc", path: "../..")],
  targets: [
    .executableTarget(
      name: "shrink",
      dependencies: [
        .product(name: "ClipMedia", package: "bsc"),
        .product(name: "ClipModel", package: "bsc"),
      ]),
    .executableTarget(
      name: "unfinished",
      dependencies: [
        .product(name: "ClipModel", package: "bsc"),
        .product(name: "ShareEngine", package: "bsc"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
