public import ArgumentParser
public import ClipModel
import DurableFiles
import ShareEngine

/// Options for processing video and audio.
struct ProcessingOptions: ParsableArguments {
  @Option(help: "Constant rate factor, 0 to 51; lower values give better quality and larger files. (default: 21)")
  var quality: String?

  @Option(
    help: "CPU time for a better quality at about the same size: fast, balanced or best. (default: fast)")
  var effort: String?

  @Option(
    help: "Maximum height in pixels (width for portrait video); video is never enlarged. (default: 1080)",
    transform: NumericArgument.wholeNumberParser(16...4320))
  var height: Int?

  @Option(help: "Maximum size of the output file, for example 25MB, 800kB or 1GiB.", transform: ByteLimit.parse)
  var maxSize: ByteLimit?

  @Option(help: "Video codec: h264 (plays everywhere), hevc, or keep (same as the source).")
  var codec: ProcessingSettings.CodecChoice = .h264

  @Flag(help: "Keep HDR, and encode it as 10-bit HEVC.")
  var keepHdr = false

  @Flag(help: "Remove the audio.")
  var mute = false

  @Flag(help: "If the file is damaged, keep the part before the damage.")
  var salvage = false

  @Flag(help: "Use a hardware encoder if one works on this machine.")
  var hardware = false

  /// The options on the command line that affect only encoded video.
  var encoderFlags: [String] {
    [quality == nil ? nil : "--quality", effort == nil ? nil : "--effort", hardware ? "--hardware" : nil]
      .compactMap(\.self)
  }

  var flags: [FlagValue] { FlagValue.makeFlags(("quality", "--quality", quality), ("effort", "--effort", effort)) }

  func makeSettings(_ environment: EngineEnvironment, pictures: PictureSettings) -> ProcessingSettings {
    var settings = ProcessingSettings(
      constantRateFactor: environment.configuration.quality.value, pictures: pictures, mute: mute)
    settings.effort = environment.configuration.effort.value
    if let height { settings.limitResolution(height: height) }
    settings.maximumByteCount = maxSize?.byteCount
    settings.codec = codec
    settings.keepsHDR = keepHdr
    settings.salvages = salvage
    settings.usesHardware = hardware
    return settings
  }
}

extension ProcessingSettings.CodecChoice: ExpressibleByArgument {}

/// Options that select a part of the clip.
struct CutOptions: ParsableArguments {
  @Option(help: "Start time, for example 83.5 or 1:23.5.", transform: ClockTime.parse)
  var from: ClockTime?

  @Option(help: "End time, for example 83.5 or 1:23.5.", transform: ClockTime.parse)
  var to: ClockTime?

  func validate() throws {
    if let range, range.isEmpty { throw ValidationError("--to must be after --from.") }
  }

  /// The selected time range in seconds; `nil` for the entire file.
  var range: Range<Double>? {
    guard from != nil || to != nil else { return nil }
    let start = from?.seconds ?? 0
    return start..<max(to?.seconds ?? .greatestFiniteMagnitude, start)
  }
}

/// Options that select one rally of a match.
struct RallySelection: ParsableArguments {
  @Option(
    help: "Rally metadata exported from the app. (default: the JSON file with the clip's name)", completion: .file())
  var metadata: String?

  @Option(
    name: .customLong("rally"), help: "Rally number, starting at 0 as in the app.",
    transform: NumericArgument.parseRallyNumber)
  var rallyIndex: Int?

  var isGiven: Bool { metadata != nil || rallyIndex != nil }

  func makeRequest(_ mode: MetadataMode = .auto, isOptional: Bool) -> MetadataRequest {
    MetadataRequest(path: metadata.map(absolutePath), mode: mode, rallyIndex: rallyIndex, isOptional: isOptional)
  }
}

/// Options for the rally metadata of a clip that is shared.
struct MetadataOptions: ParsableArguments {
  @Option(
    help: """
      What the video file contains: source (the entire match), clip (only the rally), or auto (detected from the \
      length).
      """)
  var metadataMode: MetadataMode = .auto

  @Flag(help: "Accept a clip without rally metadata (local backend only).")
  var allowNoMetadata = false

  func makeRequest(_ rally: RallySelection) -> MetadataRequest {
    rally.makeRequest(metadataMode, isOptional: allowNoMetadata)
  }
}

extension PrivacyLevel: ExpressibleByArgument {}
extension MetadataMode: ExpressibleByArgument {}
