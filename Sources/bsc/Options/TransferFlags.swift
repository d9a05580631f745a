import ArgumentParser
import DurableFiles
import ShareEngine

/// How bytes travel: for every command that uploads.
struct TransferFlags: ParsableArguments {
  @Option(help: "Bytes of a chunk, as 8MiB: a multiple of 256KiB. (default: follows the link)")
  var chunkSize: String?

  @Option(help: "Bytes per second of all uploads together, as 500kB or 2MB.")
  var limitRate: String?

  @Option(help: "Trust the certificate authorities in this PEM file.", completion: .file())
  var cacert: String?

  @Flag(name: [.customShort("4"), .long], help: "Use IPv4 addresses only.")
  var ipv4 = false

  @Flag(name: [.customShort("6"), .long], help: "Use IPv6 addresses only.")
  var ipv6 = false

  func validate() throws {
    if ipv4, ipv6 { throw ValidationError("Choose one of --ipv4 and --ipv6.") }
  }

  var flags: [FlagValue] {
    var flags: [FlagValue] = []
    if let chunkSize { flags.append(FlagValue(key: "upload.chunk_size", flag: "--chunk-size", text: chunkSize)) }
    if let limitRate { flags.append(FlagValue(key: "upload.limit_rate", flag: "--limit-rate", text: limitRate)) }
    if let cacert { flags.append(FlagValue(key: "network.cacert", flag: "--cacert", text: absolutePath(cacert))) }
    if ipv4 { flags.append(FlagValue(key: "network.addresses", flag: "--ipv4", text: "ipv4")) }
    if ipv6 { flags.append(FlagValue(key: "network.addresses", flag: "--ipv6", text: "ipv6")) }
    return flags
  }
}

/// How many clips at once, for commands that share or resume.
struct ShareJobFlags: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "Clips that are uploaded at once, 1 to 16; the next one is made small meanwhile. (default: 2)")
  var jobs: String?

  var flags: [FlagValue] { jobs.map { [FlagValue(key: "upload.jobs", flag: "--jobs", text: $0)] } ?? [] }
}

/// How fast highlights are made, for commands that share or resume.
struct PaceFlags: ParsableArguments {
  @Option(
    help: """
      Keep below the number of highlights that the backend takes in an hour: on, off, or auto, which is on where others \
      count (supabase). (default: auto)
      """)
  var pace: PaceChoice?

  /// `nil` leaves it to the backend.
  var isPaced: Bool? {
    switch pace ?? .auto {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}

/// What a share waits for.
struct WaitFlags: ParsableArguments {
  @Flag(help: "Stop once all of the clip is there; the backend makes the highlight by itself.")
  var noWait = false
}

enum PaceChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, on, off
}
