import ClipModel
import Foundation

/// A line of `share --json` and `resume --json`, decoded as documented rather than with the program's own types.
struct ShareAnswer: Decodable {
  var schema: String
  var status: String
  var job: String
  var inputs: [String]?
  var jobs: [String]?
  var highlight: Highlight?
  var videoURL: String?
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?
  var watch: String?
  var look: String?
  var playbackID: String?
  var bytes: Sizes?
  var removed: [String]?
  var notes: [String]?
  var removedData: [RemovedData]?
  var findings: [Finding]?
  var links: [Link]?

  struct Link: Decodable {
    var coach: String
    var linkID: String
    var address: String?
  }

  struct Sizes: Decodable {
    var before: Int64
    var after: Int64
  }

  /// The rules that refused the clip.
  var brokenRules: Set<String> { Set((findings ?? []).filter { $0.severity == .error }.map(\.rule)) }

  /// One document per line.
  static func all(in output: String) throws -> [ShareAnswer] {
    try output.split(separator: "\n").map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
  }
}

/// The document of a failure with `--json`.
struct FailureAnswer: Decodable {
  var schema: String
  var input: String?
  var error: ErrorAnswer
  var exitCode: Int32
}

extension BSCProcess.Outcome {
  /// The errors that a run with `--json` printed, in order.
  var failures: [ErrorAnswer] {
    output.split(separator: "\n").compactMap { line in
      try? JSONDecoder().decode(FailureAnswer.self, from: Data(line.utf8)).error
    }
  }
}

/// An error in any JSON document.
struct ErrorAnswer: Decodable {
  var id: String
  var what: String
  var why: String
  var next: String?
  var facts: [String: String]?
  var category: FailureCategory
}
