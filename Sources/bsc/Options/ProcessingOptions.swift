public import ArgumentParser
public import ClipModel
import Foundation
import ShareEngine

/// What is made of the picture and the sound.
struct ProcessingOptions: ParsableArguments {
  @Option(help: "Constant rate factor of the encoder, 0 to 51; lower is better and bigger. (default: 21)")
  var quality: String?

  @Option(
    help: "Lines on the short side at most; never enlarged. (default: 1080)",
    transform: ArgumentNumber.whole(16...4320))
  var height: Int?

  @Option(help: "Bytes of the result at most: 25MB, 800kB, 1GiB.", transform: ByteLimit.read)
  var maxSize: ByteLimit?

  @Option(help: "h264, which every player takes; hevc; or keep, as the source has it.")
  var codec: ProcessingSettings.CodecChoice = .h264

  @Flag(help: "HDR stays HDR, in HEVC with 10 bits.")
  var keepHdr = false

  @Flag(help: "Leave the sound out.")
  var mute = false

  @Flag(help: "Of a damaged file take the good part, up to the first damage.")
  var salvage = false

  @Flag(help: "Use the encoder of the graphics card where one works.")
  var hardware = false

  /// Those given that count only where a film is encoded.
  var encoderFlags: [String] { [quality == nil ? nil : "--quality", hardware ? "--hardware" : nil].compactMap(\.self) }

  var flags: [FlagValue] {
    [quality.map { FlagValue(key: "quality", flag: "--quality", text: $0) }].compactMap { $0 }
  }

  func settings(_ surroundings: EngineEnvironment, pictures: PictureSettings) -> ProcessingSettings {
    var settings = ProcessingSettings(
      constantRateFactor: surroundings.configuration.quality.value, pictures: pictures, mute: mute)
    if let height { settings.limit(height: height) }
    settings.maximumByteCount = maxSize?.byteCount
    settings.codec = codec
    settings.keepsHDR = keepHdr
    settings.salvages = salvage
    settings.usesHardware = hardware
    return settings
  }
}

extension ProcessingSettings.CodecChoice: ExpressibleByArgument {}

/// A part of the file, by hand.
struct CutOptions: ParsableArguments {
  @Option(help: "Begin here: seconds, or 1:23.5.", transform: ClockTime.read)
  var from: ClockTime?

  @Option(help: "End here: seconds, or 1:23.5.", transform: ClockTime.read)
  var to: ClockTime?

  func validate() throws {
    if let range, range.isEmpty { throw ValidationError("--to has to be behind --from.") }
  }

  /// `nil` for the whole file.
  var range: Range<Double>? {
    guard from != nil || to != nil else { return nil }
    let start = from?.seconds ?? 0
    return start..<max(to?.seconds ?? .greatestFiniteMagnitude, start)
  }
}
