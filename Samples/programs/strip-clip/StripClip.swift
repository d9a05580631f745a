import ClipModel
import Foundation
import Privacy

/// Copies a video without its location data; video and audio are not changed: `strip-clip SOURCE DESTINATION`.
@main
enum StripClip {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let source = arguments.first, let destination = arguments.last, arguments.count == 2 else {
      fail("usage: strip-clip SOURCE DESTINATION", status: 64)
    }
    do {
      let found = try await Auditor.audit(path: source)
      print("\(source): location data in \(found.mustBeRemoved.count) places")
      try await strip(source, to: destination)
    } catch let error as any ExplainedError {
      fail("error: \(error)\nnext: see \(error.explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// The copy only appears when it is complete and verified. An existing file is not replaced.
  static func strip(_ source: String, to destination: String) async throws {
    var options = StripOptions()
    options.removesIdentifiers = true  // Also removes serial numbers, but keeps dates.
    let result = try await Stripper.strip(
      source: source, destination: destination, options: options, policy: .keepExisting, proves: true)
    for carrier in result.removed { print("removed: \(carrier.carrier.kind) in \(carrier.carrier.place)") }
    for carrier in result.kept { print("kept: \(carrier.carrier.kind) in \(carrier.carrier.place)") }
    let packets = result.proof?.tracks.reduce(0) { $0 + $1.packetCount } ?? 0
    print("\(destination): \(packets) packets are identical to the source")
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
