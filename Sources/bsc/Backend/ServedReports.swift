import ClipModel
import DurableFiles
import Foundation
import LocalBackend
import ShareEngine

/// A report of a batch, or a folder of results with its ledger, as the pages of `bsc serve` show it.
actor ServedReports {
  private let path: String
  private let isFolder: Bool
  /// Pictures take their time: the page is made anew only when the records are others.
  private var made: (records: [BatchRecord], html: String)?

  /// Bytes of a report: some hundred thousand records.
  private static let byteLimit = 256 << 20

  /// - Throws: `CommandFailure` when it is neither.
  init(path: String) throws {
    let path = absolutePath(path)
    var isFolder: ObjCBool = false
    let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isThere, !isFolder.boolValue || Ledger.marksResults(path) else {
      throw CommandFailure(isThere ? .reportNotOfBatch : .reportMissing, ["file": path])
    }
    self.path = path
    self.isFolder = isFolder.boolValue
  }

  nonisolated var served: ServedReport {
    ServedReport(name: (path as NSString).lastPathComponent) { [self] in try await html() }
  }

  private func html() async throws -> String {
    let records = try await WorkerThread.run("bsc report") { [path, isFolder] _ in
      isFolder ? try Ledger.records(in: path) : try Self.records(ofReport: path)
    }
    if let made, made.records == records { return made.html }
    let folder = isFolder ? path : (path as NSString).deletingLastPathComponent
    let outputs = records.map { record in
      record.byteCount == nil ? nil : record.output.map { ($0 as NSString).isAbsolutePath ? $0 : "\(folder)/\($0)" }
    }
    let page = BatchPage(records, outputs: outputs, seconds: records.reduce(0) { $0 + $1.seconds })
    let html = try await page.html()
    made = (records, html)
    return html
  }

  private static func records(ofReport path: String) throws -> [BatchRecord] {
    let bytes = try DurableFile.read(path, limit: byteLimit)
    let decoder = JSONDecoder()
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(BatchRecord.self, from: $0) }
      .filter(\.isPlausible)
  }
}
