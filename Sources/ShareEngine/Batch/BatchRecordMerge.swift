import ClipModel
import DurableFiles
import Foundation

/// Merges the results of a batch that was split across several machines.
package enum BatchRecordMerge {
  /// Merges the records of all parts and adds the path of each result.
  /// - Parameter sources: the paths of output folders or batch reports, as the user entered them.
  /// - Throws: `ShareEngineError` if a path is neither an output folder nor a batch report, or `DurableFileError` if it
  ///   cannot be read.
  package static func mergeRecords(_ sources: [String]) throws -> [(record: BatchRecord, output: String?)] {
    var order: [String] = []
    var merged: [String: (record: BatchRecord, output: String?)] = [:]
    for (record, output) in try sources.flatMap(readRecords) {
      let known = merged[record.file]
      if known == nil { order.append(record.file) }
      // A success takes precedence over a failure of the same file in a different part.
      if known?.record.failure != nil || record.failure == nil || known == nil {
        merged[record.file] = (record, output)
      }
    }
    return order.compactMap { merged[$0] }
  }

  private static func readRecords(_ source: String) throws -> [(BatchRecord, output: String?)] {
    if Folder.exists(source) {
      guard Ledger.isResultsFolder(source) else { throw ShareEngineError(.notBatchFolder, ["file": source]) }
      let root = absolutePath(source)
      return try Ledger.readRecords(in: root).map { record in (record, record.output.map { "\(root)/\($0)" }) }
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
