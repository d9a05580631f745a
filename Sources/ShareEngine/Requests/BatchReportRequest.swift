import ClipMedia
package import ClipModel
import DurableFiles
package import Foundation

/// A request to show a batch report, from a report file or a results folder.
package struct BatchReportRequest: Sendable {
  package let path: String
  private let isFolder: Bool

  /// The maximum size of a report, in bytes. It is enough for several hundred thousand records.
  private static let byteLimit = 256 << 20

  /// - Throws: `ShareEngineError` if the path is neither a report nor a results folder.
  package init(path: String) throws {
    self.path = absolutePath(path)
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder) else {
      throw ShareEngineError(.reportMissing, ["file": path])
    }
    self.isFolder = isFolder.boolValue
    guard !self.isFolder || Ledger.isResultsFolder(self.path) else {
      throw ShareEngineError(.reportNotOfBatch, ["file": path])
    }
  }

  /// Reads the records and locates the results. Unreadable lines are skipped, because the batch might still be running.
  package func readRecords() async throws -> [(record: BatchRecord, output: String?)] {
    let folder = isFolder ? path : (path as NSString).deletingLastPathComponent
    return try await WorkerThread.run("bsc report") { [self] _ in
      let records = isFolder ? try Ledger.readRecords(in: path) : try readReport()
      return records.map { record in
        let output = record.byteCount == nil ? nil : record.output
        return (record, output.map { ($0 as NSString).isAbsolutePath ? $0 : "\(folder)/\($0)" })
      }
    }
  }

  private func readReport() throws -> [BatchRecord] {
    let decoder = JSONDecoder()
    return try DurableFile.read(path, limit: Self.byteLimit).split(separator: UInt8(ascii: "\n"))
      .compactMap { try? decoder.decode(BatchRecord.self, from: $0) }.filter(\.isPlausible)
  }

  /// Renders a small JPEG image of each result. The value is `nil` if there is no result or if it cannot be rendered.
  /// - Parameter width: the maximum width in pixels.
  package static func renderThumbnails(of outputs: [String?], width: Int) async throws -> [Data?] {
    let path = FileManager.default.temporaryDirectory.path + "/bsc-report-\(UUID().uuidString).jpg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var framing = PictureFraming(atSeconds: 1)
    framing.width = width
    var thumbnails: [Data?] = []
    for output in outputs {
      try Task.checkCancellation()
      let isDrawn =
        if let output { (try? await PictureRendering.draw(framing, of: output, to: path)) != nil } else { false }
      thumbnails.append(isDrawn ? FileManager.default.contents(atPath: path) : nil)
    }
    return thumbnails
  }
}

extension ErrorText {
  package static let reportMissing = ErrorText(
    "batch.report-missing", "cannot show the report {file}", "there is no such file", .noInput)
  package static let reportNotOfBatch = ErrorText(
    "batch.report-folder", "cannot show the report {file}", "the folder contains no batch results", .noInput)
}
