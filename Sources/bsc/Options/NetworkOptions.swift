import ArgumentParser
import DurableFiles
import ShareEngine

/// Network options for commands that upload or download.
struct NetworkOptions: ParsableArguments {
  @Option(help: "Upload chunk size: a multiple of 256KiB, for example 8MiB. (default: adapts to the connection)")
  var chunkSize: String?

  @Option(help: "Total upload rate limit in bytes per second, for example 500kB or 2MB.")
  var limitRate: String?

  @Option(help: "Trust the certificate authorities in this PEM file.", completion: .file())
  var cacert: String?

  @Flag(name: [.customShort("4"), .long], help: "Use IPv4 only.")
  var ipv4 = false

  @Flag(name: [.customShort("6"), .long], help: "Use IPv6 only.")
  var ipv6 = false

  func validate() throws {
    if ipv4, ipv6 { throw ValidationError("--ipv4 and --ipv6 cannot be combined.") }
  }

  var flags: [FlagValue] {
    FlagValue.makeFlags(
      ("upload.chunk_size", "--chunk-size", chunkSize), ("upload.limit_rate", "--limit-rate", limitRate),
      ("network.cacert", "--cacert", cacert.map(absolutePath)), ("network.addresses", "--ipv4", ipv4 ? "ipv4" : nil),
      ("network.addresses", "--ipv6", ipv6 ? "ipv6" : nil))
  }
}

extension FlagValue {
  /// Returns the settings for the options that have a value.
  static func makeFlags(_ options: (key: String, flag: String, value: String?)...) -> [FlagValue] {
    options.compactMap { option in option.value.map { FlagValue(key: option.key, flag: option.flag, text: $0) } }
  }
}

/// The option for the number of parallel uploads, for commands that share or resume.
struct ParallelUploadOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "Maximum number of parallel uploads, 1 to 16. (default: 2)")
  var jobs: String?

  var flags: [FlagValue] { FlagValue.makeFlags(("upload.jobs", "--jobs", jobs)) }
}

/// The option for uploads that start before the clip is finished.
struct StreamingOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help:
      "Upload the clip while it is encoded, even if it is small or the backend is local. (default: the setting upload.stream)"
  )
  var stream: Bool?

  var flags: [FlagValue] {
    FlagValue.makeFlags(
      ("upload.stream", "--stream", stream == true ? "on" : nil),
      ("upload.stream", "--no-stream", stream == false ? "off" : nil))
  }
}

/// The option that limits the sharing rate, for commands that share or resume.
struct PacingOptions: ParsableArguments {
  @Option(
    help: """
      Stay below the backend's hourly highlight limit: on, off, or auto (on for supabase, otherwise off). \
      (default: auto)
      """)
  var pace: PacingMode?

  /// Whether to stay below the backend's rate limit; `nil` for the backend's default.
  var isPaced: Bool? {
    switch pace ?? .auto {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}

struct WaitOptions: ParsableArguments {
  @Flag(help: "Exit once the clip is uploaded; the backend creates the highlight later.")
  var noWait = false
}

enum PacingMode: String, ExpressibleByArgument, CaseIterable {
  case auto, on, off
}
