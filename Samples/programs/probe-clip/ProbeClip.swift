import ClipMedia
import ClipModel
import Foundation

/// Prints the facts about a video file: `probe-clip [--json] FILE`.
@main
enum ProbeClip {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let files = arguments.filter { $0 != "--json" }
    guard let file = files.first, files.count == 1 else { fail("usage: probe-clip [--json] FILE", status: 64) }
    do {
      let probe = try await Prober.probe(path: file)
      print(arguments.contains("--json") ? try json(probe) : text(probe), terminator: "")
    } catch let error as any ExplainedError {
      fail("error: \(error)\nnext: see \(error.explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// A summary for people.
  static func text(_ probe: ClipProbe) -> String {
    var lines = ["container: \(probe.container), \(probe.byteCount) bytes"]
    if let seconds = probe.shownSeconds { lines.append("shown: \(seconds) s") }
    if let video = probe.mainVideo {
      let rate = video.averageFrameRate?.value
      lines.append("video: \(video.codec), \(video.shownSize.width)x\(video.shownSize.height), \(rate ?? 0) frames/s")
    }
    if let audio = probe.mainAudio { lines.append("audio: \(audio.codec), \(audio.sampleRate) Hz") }
    // The probe also searches for location data.
    lines += probe.locationCarriers.map { "location: \($0.kind) in \($0.place)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// All facts for programs, such as `judge-clip`.
  static func json(_ probe: ClipProbe) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(probe), as: UTF8.self) + "\n"
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
