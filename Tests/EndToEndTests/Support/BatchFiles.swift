import Foundation
import ShareEngine
import TestSupport
import Testing

/// Files for batches.
extension BSCHome {
  /// Creates a clip with unique bytes, and its metadata if requested.
  func place(_ name: String, _ sample: String = "rally-portrait", sidecar: Bool = false) throws {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: SharedMedia.sample(sample + ".mp4"), toPath: path)
    // Unique bytes, in boxes that players ignore.
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    for byte in name.utf8 { try handle.write(contentsOf: Data([0, 0, 0, 9]) + Data("free".utf8) + Data([byte])) }
    try handle.close()
    guard sidecar else { return }
    try FileManager.default.copyItem(
      atPath: SharedMedia.sample(sample + ".json"), toPath: (path as NSString).deletingPathExtension + ".json")
  }

  /// The paths of files in a folder, except in `.bsc`.
  func tree(_ name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path(name))
      .filter { !$0.hasPrefix(".bsc") }
      .filter { file in
        let path = folder.path("\(name)/\(file)")
        return (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeRegular
      }.sorted()
  }

  /// The option for the report that `statuses()` reads.
  static let statusReport = ["--report", "jsonl=statuses.jsonl"]

  /// Runs `compress` with a report for `statuses()`.
  func compress(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> BSCProcess.Outcome {
    try await run(["compress"] + arguments + Self.statusReport, sourceLocation: sourceLocation)
  }

  /// The number of files with each status in the last run. Removes the report, so that it isn't read for a later run.
  func statuses() throws -> [BatchRecord.Status: Int] {
    let records = try report("statuses.jsonl")
    try FileManager.default.removeItem(atPath: folder.path("statuses.jsonl"))
    return Dictionary(grouping: records, by: \.status).mapValues(\.count)
  }

  func records(_ text: String) throws -> [BatchRecord] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(BatchRecord.self, from: Data($0.utf8)) }
  }

  func report(_ name: String) throws -> [BatchRecord] {
    try records(String(contentsOfFile: folder.path(name), encoding: .utf8))
  }
}
