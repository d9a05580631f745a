import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

/// `junit=report.xml` on the command line.
struct ReportFile {
  var kind: ReportKind
  var path: String

  /// - Throws: `ArgumentFault`.
  static func read(_ text: String) throws -> ReportFile {
    let (kind, path) = try ReportArgument.read(
      text,
      endings: ["xml": ReportKind.junit, "sarif": .sarif, "tap": .tap, "jsonl": .jsonl, "json": .json, "txt": .text])
    return ReportFile(kind: kind, path: path)
  }
}

extension ReportKind: ExpressibleByArgument {}

/// The reports of one run: those on stdout as they come, those in files at the end.
struct ReportWriters {
  private var shown: [any ValidationReport]
  private var stored: [(path: String, report: any ValidationReport, text: String)]

  init(kinds: [ReportKind], files: [ReportFile], terms: ReportTerms) {
    var wide = terms
    wide.width = Console.isOutputTerminal ? Console.outputSize.columns : nil
    wide.isColored = Console.isOutputColored
    shown = kinds.map { $0.report(wide, text: TextReport.init) }
    stored = files.map { (absolutePath($0.path), $0.kind.report(terms, text: TextReport.init), "") }
  }

  /// A report takes no clip's place, nor its metadata's, nor another report's, nor that of a device.
  static func check(_ reports: [ReportFile], against clips: [String]) throws {
    let taken = Set(
      clips.flatMap { clip in
        [absolutePath(clip), (absolutePath(clip) as NSString).deletingPathExtension + ".json"]
      })
    var seen: Set<String> = []
    for report in reports {
      let path = absolutePath(report.path)
      let identity = try? FileIdentity.of(path)
      let isClip = identity.map { own in clips.contains { (try? FileIdentity.of($0)).map(own.isSameFile) ?? false } }
      var why: String?
      if taken.contains(path) || isClip == true { why = "it is a clip that is judged, or its metadata" }
      if !seen.insert(path).inserted { why = "another report goes there" }
      if identity == nil, FileManager.default.fileExists(atPath: path) { why = "it is no regular file" }
      let folder = (path as NSString).deletingLastPathComponent
      if !FileManager.default.fileExists(atPath: folder) { why = "there is no folder \(folder)" }
      guard let why else { continue }
      throw CommandFailure(.report, ["report": report.path, "reason": why])
    }
  }

  mutating func add(_ judgement: Judgement) throws {
    for index in shown.indices { Console.writeRaw(try shown[index].add(judgement)) }
    for index in stored.indices { stored[index].text += try stored[index].report.add(judgement) }
  }

  mutating func end() throws {
    for index in shown.indices { Console.writeRaw(try shown[index].end()) }
    for index in stored.indices {
      stored[index].text += try stored[index].report.end()
      try DurableFile.write(Array(stored[index].text.utf8), to: stored[index].path)
    }
  }
}
