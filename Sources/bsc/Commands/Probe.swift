import ArgumentParser
import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Reports

struct Probe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a media file is: tracks, colour, rotation, timing, location.",
    discussion: """
      EXAMPLES:
        bsc probe clip.mp4
        bsc probe --json *.mp4
      """)

  @Argument(help: "Media files.", completion: .file())
  var files: [String]

  @OptionGroup var output: OutputOptions

  func run() async throws {
    let code = try await InputRunner.run(files, named: \.self, asJSON: output.json) { file in
      let probe = try await Prober.probe(path: absolutePath(file))
      if output.json {
        Console.writeJSON(ProbeDocument(file: file, probe: probe))
      } else {
        Console.write(ProbeText.lines(name: file, probe: probe).lines)
      }
      return nil
    }
    try ExitStatusError.end(with: code)
  }
}

struct ProbeDocument: Encodable {
  var schema = "bsc.probe/1"
  var file: String
  var probe: ClipProbe
}

/// The facts for people.
enum ProbeText {
  static func lines(name: String, probe: ClipProbe) -> [StyledText] {
    var lines: [StyledText] = ["\(whole: name.onOneLine, .strong)"]
    func add(_ label: String, _ value: String) { lines.append(.fact(label, StyledText(value.onOneLine))) }
    let brand = probe.majorBrand.map { ", brand \($0.trimmingCharacters(in: .whitespaces))" } ?? ""
    var container = "\(probe.container)\(brand), \(ByteCount.text(probe.byteCount))"
    if let seconds = probe.durationSeconds { container += ", \(decimal(seconds)) s" }
    if let bits = probe.bitsPerSecond { container += ", \(decimal(Double(bits) / 1e6)) Mbit/s" }
    if probe.isFastStart == false { container += ", index at the end" }
    if probe.isFragmented == true { container += ", fragmented" }
    add("container", container)
    for track in probe.videoTracks { add("video \(track.index)", video(track)) }
    for track in probe.audioTracks { add("audio \(track.index)", audio(track)) }
    for track in probe.dataTracks {
      add(
        "\(track.type) \(track.index)",
        [track.codecTag ?? track.codec, track.handlerName].compactMap { $0 }.joined(separator: ", "))
    }
    if let date = probe.captureDate { add("captured", date) }
    if !probe.metadataKeys.isEmpty { add("metadata", probe.metadataKeys.joined(separator: ", ")) }
    lines += probe.locationCarriers.map { StyledText(CarrierText.line($0), .doubtful) }
    if let missing = probe.missingByteCount, missing > 0 {
      lines.append("  \("DAMAGE", .bad)     \(ByteCount.text(missing)) missing")
    }
    for anomaly in probe.anomalies { add("note", anomaly) }
    return lines
  }

  private static func video(_ track: VideoTrack) -> String {
    var parts = [[track.codec, track.profile].compactMap { $0 }.joined(separator: " ")]
    parts.append(track.storedSize.description)
    if track.shownSize != track.storedSize { parts.append("shown as \(track.shownSize)") }
    if track.orientation != .upright {
      parts.append(
        "turned \(track.orientation.clockwiseDegrees)°\(track.orientation.isMirrored ? " and mirrored" : "")")
    }
    if let ratio = track.sampleAspectRatio, !track.hasSquarePixels {
      parts.append("pixels \(ratio.numerator):\(ratio.denominator)")
    }
    if let rate = track.averageFrameRate {
      parts.append("\(decimal(rate.value)) fps\(track.hasVariableFrameRate == true ? " (variable)" : "")")
    }
    if let format = track.pixelFormat { parts.append(format) }
    let color = track.color
    parts.append(
      [color.dynamicRange == .sdr ? "SDR" : color.dynamicRange.rawValue.uppercased(), color.primaries, color.range]
        .compactMap { $0 }.joined(separator: " "))
    if let profile = color.dolbyVisionProfile { parts.append("Dolby Vision profile \(profile)") }
    if let bits = track.bitsPerSecond { parts.append("\(decimal(Double(bits) / 1e6)) Mbit/s") }
    if let seconds = track.durationSeconds { parts.append("\(decimal(seconds)) s") }
    if let gop = track.gop { parts.append("key frames every \(decimal(gop.averageSeconds)) s") }
    if track.isAttachedPicture { parts.append("cover picture") }
    return parts.joined(separator: ", ")
  }

  private static func audio(_ track: AudioTrack) -> String {
    var parts = [[track.codec, track.profile].compactMap { $0 }.joined(separator: " "), "\(track.sampleRate) Hz"]
    parts.append(track.channelLayout ?? "\(track.channelCount) channels")
    if let bits = track.bitsPerSecond { parts.append("\(bits / 1000) kbit/s") }
    if let seconds = track.durationSeconds { parts.append("\(decimal(seconds)) s") }
    return parts.joined(separator: ", ")
  }
}

extension String {
  /// Filled up with spaces to at least this many characters.
  func padded(_ count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
