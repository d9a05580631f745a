import ArgumentParser
import ClipModel
import Foundation
import Reports
import ShareEngine

struct Probe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Show the tracks, color, rotation, timing and location data of media files",
    discussion: """
      EXAMPLES:
        bsc probe clip.mp4
        bsc probe --json *.mp4
      """)

  @Argument(help: "Media files.", completion: .file())
  var files: [String]

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await InputRunner.run(files, named: \.self, asJSON: output.json) { file in
      let probe = try await FileInspection.probe(file)
      if output.json {
        Console.writeJSON(ProbeDocument(file: file, probe: probe))
      } else {
        Console.write(ProbeText.formatLines(name: file, probe: probe).lines)
      }
      return nil
    }
  }
}

struct ProbeDocument: Encodable {
  var schema = "bsc.probe/1"
  var file: String
  var probe: ClipProbe
}

/// Formats information about a file's tracks as text.
enum ProbeText {
  static func formatLines(name: String, probe: ClipProbe) -> [StyledText] {
    var lines: [StyledText] = ["\(whole: name.onOneLine, .strong)"]
    func addFact(_ label: String, _ value: String) { lines.append(.labeledLine(label, StyledText(value.onOneLine))) }
    func formatMegabits(_ bits: Int64?) -> String? { bits.map { "\(decimal(Double($0) / 1e6)) Mbit/s" } }
    addFact(
      "container",
      [
        probe.container, probe.majorBrand.map { "brand \($0.trimmingCharacters(in: .whitespaces))" },
        ByteCount.text(probe.byteCount), probe.durationSeconds.map { "\(decimal($0)) s" },
        formatMegabits(probe.bitsPerSecond), probe.isFastStart == false ? "index at the end" : nil,
        probe.isFragmented == true ? "fragmented" : nil,
      ].compactMap(\.self).joined(separator: ", "))
    for track in probe.videoTracks { addFact("video \(track.index)", describeVideo(track)) }
    for track in probe.audioTracks { addFact("audio \(track.index)", describeAudio(track)) }
    for track in probe.dataTracks {
      addFact(
        "\(track.type) \(track.index)",
        [track.codecTag ?? track.codec, track.handlerName].compactMap(\.self).joined(separator: ", "))
    }
    if let date = probe.captureDate { addFact("captured", date) }
    if !probe.metadataKeys.isEmpty { addFact("metadata", probe.metadataKeys.joined(separator: ", ")) }
    lines += probe.locationCarriers.map { StyledText(CarrierText.formatLine($0), .doubtful) }
    if let missing = probe.missingByteCount, missing > 0 {
      lines.append("  \("DAMAGE", .bad)     \(ByteCount.text(missing)) missing")
    }
    for anomaly in probe.anomalies { addFact("note", anomaly) }
    return lines
  }

  private static func describeVideo(_ track: VideoTrack) -> String {
    let color = track.color
    let (degrees, isMirrored) = (track.orientation.clockwiseDegrees, track.orientation.isMirrored)
    let ratio = track.hasSquarePixels ? nil : track.sampleAspectRatio
    return [
      describeCodec(track.codec, track.profile), track.storedSize.description,
      track.shownSize == track.storedSize ? nil : "displayed as \(track.shownSize)",
      track.orientation == .upright ? nil : "rotated \(degrees)°\(isMirrored ? " and mirrored" : "")",
      ratio.map { "pixel aspect ratio \($0.numerator):\($0.denominator)" },
      track.averageFrameRate.map {
        "\(decimal($0.value)) fps\(track.hasVariableFrameRate == true ? " (variable)" : "")"
      },
      track.pixelFormat,
      [color.dynamicRange == .sdr ? "SDR" : color.dynamicRange.rawValue.uppercased(), color.primaries, color.range]
        .compactMap(\.self).joined(separator: " "),
      color.dolbyVisionProfile.map { "Dolby Vision profile \($0)" },
      track.bitsPerSecond.map { "\(decimal(Double($0) / 1e6)) Mbit/s" },
      track.durationSeconds.map { "\(decimal($0)) s" },
      track.gop.map { "key frames every \(decimal($0.averageSeconds)) s" },
      track.isAttachedPicture ? "cover image" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func describeAudio(_ track: AudioTrack) -> String {
    [
      describeCodec(track.codec, track.profile), "\(track.sampleRate) Hz",
      track.channelLayout ?? "\(track.channelCount) channels",
      track.bitsPerSecond.map { "\($0 / 1000) kbit/s" }, track.durationSeconds.map { "\(decimal($0)) s" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func describeCodec(_ name: String, _ profile: String?) -> String {
    name + (profile.map { " \($0)" } ?? "")
  }
}
