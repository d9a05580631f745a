import ClipModel
import DurableFiles
import Foundation

/// The parts of a batch that was split across several machines.
package enum BatchParts {
  /// Merges the records of all parts, with the path of each result.
  /// - Parameter sources: output folders, or reports of a batch, as specified by the user.
  /// - Throws: `ShareEngineError` for anything else, `DurableFileError`.
  package static func merged(_ sources: [String]) throws -> [(record: BatchRecord, output: String?)] {
    var order: [String] = []
    var merged: [String: (record: BatchRecord, output: String?)] = [:]
    for (record, output) in try sources.flatMap(records) {
      let known = merged[record.file]
      if known == nil { order.append(record.file) }
      // A success takes precedence over a failure in another part.
      if known?.record.failure != nil || record.failure == nil || known == nil {
        merged[record.file] = (record, output)
      }
    }
    return order.compactMap { merged[$0] }
  }

  private static func records(_ source: String) throws -> [(BatchRecord, output: String?)] {
    if Folder.exists(source) {
      guard Ledger.isResultsFolder(source) else { throw ShareEngineError(.notBatchFolder, ["file": source]) }
      let root = absolutePath(source)
      return try Ledger.records(in: root).map { record in (record, record.output.map { "\(root)/\($0)" }) }
    }
    let bytes = try DurableFile.read(source, limit: 1 << 30)
    return try bytes.split(separator: UInt8(ascii: "\n")).enumerated().map { number, line in
      guard let record = try? JSONDecoder().decode(BatchRecord.self, from: line), record.isPlausible else {
        throw ShareEngineError(.notBatchReport, ["file": source, "line": "\(number + 1)"])
      }
      return (record, nil)
    }
  }
}
