import DurableFiles
import Foundation
import ShareEngine

/// A report kind that can be specified on the command line.
protocol ReportFileKind: RawRepresentable<String>, CaseIterable, Sendable {
  /// The report kind for each file extension.
  static var extensions: [String: Self] { get }
}

/// A report that is written to a file, specified as `junit=report.xml` on the command line.
struct ReportFile<Kind: ReportFileKind>: Sendable {
  var kind: Kind
  /// The absolute path.
  var path: String

  /// - Throws: `ArgumentFault`.
  static func parse(_ text: String) throws -> ReportFile {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let kinds = Kind.allCases.map(\.rawValue)
    let list = "write KIND=FILE; the kinds are \(joinAlternatives(kinds, "and"))"
    func makeFault(_ why: String, _ next: String) -> ArgumentFault { ArgumentFault(value: text, why: why, next: next) }
    guard parts.count == 2 else {
      if kinds.contains(text) { throw makeFault("the file name is missing", "write \(text)=FILE") }
      let suggestion = Kind.extensions[(text as NSString).pathExtension.lowercased()]
      throw makeFault("the report kind is missing", suggestion.map { "did you mean \($0.rawValue)=\(text)?" } ?? list)
    }
    guard let kind = Kind(rawValue: parts[0]) else {
      let nearest = SpellingSuggestion.nearestWord(to: parts[0].lowercased(), among: kinds)
      throw makeFault("there is no such report kind", nearest.map { "did you mean \($0)=\(parts[1])?" } ?? list)
    }
    guard !parts[1].isEmpty else { throw makeFault("the file name is missing", "write \(kind.rawValue)=FILE") }
    return ReportFile(kind: kind, path: absolutePath(parts[1]))
  }

  /// Checks that no report overwrites an input, another report, or a file that isn't a report.
  /// - Parameters:
  ///   - inputs: the absolute paths of the inputs.
  ///   - canReplace: whether an existing file may be overwritten.
  /// - Throws: `CommandFailure`.
  static func validateTargets(
    _ reports: [ReportFile], inputs: [String], canReplace: (ReportFile) -> Bool = { _ in true }
  ) throws {
    var paths = Set(inputs)
    let identities = inputs.compactMap { try? FileIdentity.of($0) }
    for report in reports {
      let exists = FileManager.default.fileExists(atPath: report.path)
      let identity = try? FileIdentity.of(report.path)
      let folder = (report.path as NSString).deletingLastPathComponent
      let problems = [
        (!FileManager.default.fileExists(atPath: folder), "there is no folder \(folder)"),
        (exists && identity == nil, "it is not a regular file"),
        (identity.map { own in identities.contains { own.isSameFile(as: $0) } } == true, "it is an input"),
        (!paths.insert(report.path).inserted, "it is an input or another report"),
        (exists && !canReplace(report), "the file exists and is not a bsc report"),
      ]
      if let problem = problems.first(where: \.0) {
        throw CommandFailure(.report, ["report": report.path, "reason": problem.1])
      }
    }
  }
}
