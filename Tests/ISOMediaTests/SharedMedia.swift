import Foundation
import Testing

/// The real files that all builders share, outside the package, with what their manifest says of them.
enum SharedMedia {
  struct Row: Sendable, CustomTestStringConvertible {
    var file: String
    var container: String
    var durationSeconds: Double?
    var location: String

    var testDescription: String { file }
    var isISO: Bool { container.hasPrefix("mov,") }
  }

  /// `BSC_SHARED_MEDIA`, or the folder beside the package.
  static let folder: URL =
    ProcessInfo.processInfo.environment["BSC_SHARED_MEDIA"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/media")

  /// Empty, with a warning, when the folder is not there: those tests are then skipped.
  static let rows: [Row] = {
    guard let text = try? String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8) else {
      print("warning: skipped the tests on real files: no MANIFEST.tsv; set BSC_SHARED_MEDIA")
      return []
    }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 11 else { return nil }
      return Row(file: fields[0], container: fields[3], durationSeconds: Double(fields[8]), location: fields[11])
    }
  }()

  static func path(_ file: String) -> String { folder.appending(path: file).path }
}
