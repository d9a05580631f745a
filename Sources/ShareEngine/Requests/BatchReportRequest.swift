import ClipMedia
package import ClipModel
import DurableFiles
package import Foundation

/// The report of a batch: a report file, or the folder with its results.
package struct BatchReportRequest: Sendable {
  package let path: String
  private let isFolder: Bool

  /// The maximum size of a report in bytes, which is enough for several hundred thousand records.
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

  /// Reads the records, and finds the results. Lines that can't be read are skipped, because the batch may be running.
  package func records() async throws -> [(record: BatchRecord, output: String?)] {
    let folder = isFolder ? path : (path as NSString).deletingLastPathComponent
    return try await WorkerThread.run("bsc report") { [self] _ in
      let records = isFolder ? try Ledger.records(in: path) : try readReport()
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

  /// Renders a small JPEG of each result; `nil` for records without a result, and for results that can't be rendered.
  /// - Parameter width: the maximum width in pixels.
  package static func thumbnails(of outputs: [String?], width: Int) async throws -> [Data?] {
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
