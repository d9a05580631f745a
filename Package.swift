// swift-tools-version: 6.2
import PackageDescription

/// Settings of all targets: Swift 6 mode, strict upcoming features, warnings as errors.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Settings of every target above the C boundary: unsafe constructs must be marked `unsafe`.
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// Whether the program loads FFmpeg and libcurl when it first uses them (see CLazyLibrary.h), instead of linking them.
/// Linking also finds headers that are not in the system's folder, because SwiftPM asks pkg-config for them.
#if os(Linux) && arch(x86_64)
let loadsLibraries = Context.environment["BSC_LINK_LIBRARIES"] == nil
#else
let loadsLibraries = false
#endif
let stubs: [CSetting] = loadsLibraries ? [.define("BSC_LAZY_LIBRARIES")] : []
func linked(_ libraries: String...) -> [LinkerSetting] { loadsLibraries ? [] : libraries.map { .linkedLibrary($0) } }

/// The targets of recruiting. Without the trait, nothing needs them, and `#if Recruiting` leaves their users out.
let withRecruiting = TargetDependencyCondition.when(traits: ["Recruiting"])
let recruiting = Target.Dependency.target(name: "Recruiting", condition: withRecruiting)
let tablePDF = Target.Dependency.target(name: "TablePDF", condition: withRecruiting)

/// A program that uses a library. Without package access, it sees only public declarations.
func sample(_ name: String, _ libraries: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: libraries, path: "Samples/programs/\(name)", packageAccess: false, swiftSettings: safe)
}

let package = Package(
  name: "bsc",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "bsc", targets: ["bsc"]),
    // Every type in a public declaration of a library belongs to one of these libraries.
    .library(name: "ClipModel", targets: ["ClipModel"]),
    .library(name: "ISOMedia", targets: ["ISOMedia"]),
    .library(name: "LocationFormats", targets: ["LocationFormats"]),
    .library(name: "Privacy", targets: ["Privacy"]),
    .library(name: "ClipMedia", targets: ["ClipMedia"]),
    .library(name: "LibCurl", targets: ["LibCurl"]),
    .library(name: "Upload", targets: ["Upload"]),
    .library(name: "Highlights", targets: ["Highlights"]),
    .library(name: "Social", targets: ["Social", "RowRequests"]),
    .library(name: "ShareEngine", targets: ["ShareEngine"]),
    .library(name: "LocalBackend", targets: ["LocalBackend"]),
  ],
  traits: [
    .default(enabledTraits: ["Recruiting"]),
    .trait(name: "Recruiting", description: "Families, coaches, their posts, and links to highlights."),
  ],
  // Package.resolved contains the versions that are built and tested.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
    .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
    .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
    .package(url: "https://github.com/apple/swift-nio-extras", .upToNextMinor(from: "1.35.2")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
    // Without the trait for configuration files, whose package would only add build time.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1"),
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", .upToNextMinor(from: "2.1.1")),
    .package(url: "https://github.com/LebJe/TOMLKit", .upToNextMinor(from: "0.6.0")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/vapor/jwt-kit", .upToNextMinor(from: "5.7.1")),
  ],
  targets: [
    // MARK: C libraries
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: loadsLibraries ? nil : "libavformat",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev", "libswresample-dev",
          "libavfilter-dev",
        ]),
        .brew(["ffmpeg"]),
      ]),
    .systemLibrary(
      name: "CCurl", pkgConfig: loadsLibraries ? nil : "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CZimg", pkgConfig: "zimg", providers: [.apt(["libzimg-dev"]), .brew(["zimg"])]),
    .target(name: "CLazyLibrary", cSettings: stubs),
    .target(name: "CMediaShims", dependencies: ["CFFmpeg", "CLazyLibrary"], cSettings: stubs),
    .target(name: "CPango", dependencies: ["CLazyLibrary"]),

    // MARK: Values, bytes and files
    .target(name: "ClipModel", swiftSettings: safe),
    .target(name: "CFileShims"),
    .target(name: "DurableFiles", dependencies: ["CFileShims", "ClipModel", crypto], swiftSettings: safe),
    .target(name: "ISOMedia", dependencies: ["ClipModel"], swiftSettings: safe),
    .target(name: "LocationFormats", dependencies: ["ClipModel", "ISOMedia"], swiftSettings: safe),

    // MARK: Owners of C objects
    .target(
      name: "LibAV", dependencies: ["CFFmpeg", "CZimg", "CMediaShims", "ClipModel"], swiftSettings: strict,
      linkerSettings: linked("avformat", "avcodec", "avutil", "swscale", "swresample")),
    .target(
      name: "LibCurl", dependencies: ["CCurl", "CLazyLibrary", "ClipModel"], swiftSettings: strict,
      linkerSettings: linked("curl")),
    .target(name: "TablePDF", dependencies: ["CPango", "ClipModel"], swiftSettings: strict),

    // MARK: Social layer and recruiting
    .target(name: "RowRequests", swiftSettings: safe),
    .target(name: "Social", dependencies: ["ClipModel", "RowRequests", grdb], swiftSettings: safe),
    .target(name: "Recruiting", dependencies: ["ClipModel", "RowRequests"], swiftSettings: safe),

    // MARK: Pipeline
    .target(
      name: "Privacy", dependencies: ["ClipModel", "DurableFiles", "ISOMedia", "LocationFormats", "LibAV", crypto],
      swiftSettings: safe),
    .target(
      name: "ClipMedia", dependencies: ["ClipModel", "DurableFiles", "ISOMedia", "LibAV", "Privacy"],
      swiftSettings: safe),
    .target(name: "Upload", dependencies: ["ClipModel", "DurableFiles", "LibCurl"], swiftSettings: safe),
    .target(name: "Highlights", dependencies: ["ClipModel", "LibCurl", crypto], swiftSettings: safe),
    .target(
      name: "ShareEngine",
      dependencies: [
        "ClipModel", "DurableFiles", "LibCurl", "Privacy", "ClipMedia", "Upload", "Highlights", "RowRequests", "Social",
        recruiting, crypto, grdb, toml,
      ],
      swiftSettings: safe),
    .target(
      name: "LocalBackend",
      dependencies: [
        "ClipModel", "DurableFiles", "ClipMedia", "LibCurl", "Social", recruiting, tablePDF, crypto, cryptoExtras, grdb,
        hummingbird, hummingbirdCore, jwt, mustache, logging, nio, nioPosix, httpTypes, nioHTTPTypes, serviceLifecycle,
      ],
      resources: [.embedInCode("Pages")],
      swiftSettings: safe),
    .target(name: "Reports", dependencies: ["ClipModel"], swiftSettings: safe),
    .executableTarget(
      name: "bsc",
      dependencies: [
        "ClipModel", "DurableFiles", "Privacy", "ClipMedia", "LibCurl", "Upload", "Highlights", "Social",
        "ShareEngine", "LocalBackend", "Reports", recruiting, tablePDF, argumentParser, mustache,
      ],
      resources: [.embedInCode("Pages")],
      swiftSettings: safe),

    // MARK: Sample programs
    sample("probe-clip", ["ClipMedia", "ClipModel"]),
    sample("transcode-clip", ["ClipMedia", "ClipModel"]),
    sample("judge-clip", ["ClipModel"]),
    sample("box-tree", ["ISOMedia", "ClipModel"]),
    sample("decode-location", ["LocationFormats", "ClipModel"]),
    sample("strip-clip", ["Privacy", "ClipModel"]),
    sample("upload-clip", ["Upload", "LibCurl", "ClipModel"]),
    sample("queue-like", ["Social"]),
    sample("share-clip", ["ShareEngine", "LocalBackend", "Highlights", "Upload", "LibCurl", "ClipModel"]),

    // MARK: Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "ClipModel", "ISOMedia",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "ClipModelTests", dependencies: ["ClipModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DurableFilesTests", dependencies: ["DurableFiles", "ClipModel", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "ISOMediaTests", dependencies: ["ISOMedia", "ClipModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LocationFormatsTests", dependencies: ["LocationFormats", "ClipModel", "ISOMedia", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PrivacyTests",
      dependencies: ["Privacy", "ClipModel", "DurableFiles", "LibAV", "LocationFormats", "ISOMedia", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "LibAVTests", dependencies: ["LibAV", "ClipModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ClipMediaTests",
      dependencies: ["ClipMedia", "ClipModel", "DurableFiles", "ISOMedia", "LibAV", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "UploadTests", dependencies: ["Upload", "ClipModel", "LibCurl", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "HighlightsTests", dependencies: ["Highlights", "ClipModel", "LibCurl", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SocialTests", dependencies: ["Social", "RowRequests", "ClipModel", "TestSupport", grdb],
      swiftSettings: strict),
    .testTarget(
      name: "RecruitingTests", dependencies: ["Recruiting", "RowRequests", "ClipModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "TablePDFTests", dependencies: ["TablePDF", "ClipModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ShareEngineTests",
      dependencies: [
        "ShareEngine", "ClipModel", "DurableFiles", "LibCurl", "ClipMedia", "Upload", "Highlights", "Social", grdb,
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "LocalBackendTests",
      dependencies: [
        "LocalBackend", "ClipModel", "LibCurl", "Recruiting", "Upload", "TestSupport", grdb, hummingbird, httpTypes,
        logging, nio, nioPosix,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "bsc", "ClipMedia", "ClipModel", "DurableFiles", "Highlights", "ISOMedia", "LibAV", "LibCurl", "LocalBackend",
        "Privacy", "Recruiting", "Reports", "ShareEngine", "Social", "TablePDF", "TestSupport", "Upload",
        argumentParser, grdb,
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Tests do a lot of media work, which is slow without the optimizer, so Scripts/test turns it on. Other packages cannot
// depend on a package with unsafe flags, so the flags are off by default. Our code uses preconditions, which stay on.
if Context.environment["BSC_OPTIMIZED_TESTS"] != nil {
  let media = ["ClipModel", "ISOMedia", "LibAV", "LocationFormats", "Privacy", "ClipMedia", "TestSupport"]
  for target in package.targets where media.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"], .when(configuration: .debug))]
  }
  for target in package.targets where ["CMediaShims", "CFileShims"].contains(target.name) {
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"], .when(configuration: .debug))]
  }
}
