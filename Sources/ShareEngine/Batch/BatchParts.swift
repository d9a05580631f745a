import ClipModel
import DurableFiles
import Foundation

/// The parts of a batch that several machines worked on.
package enum BatchParts {
  /// What became of each file, with the path of its result.
  /// - Parameter sources: output folders, or reports that a batch wrote, as they were named.
  /// - Throws: `ShareEngineError` for something else, `DurableFileError`.
  package static func merged(_ sources: [String]) throws -> [(record: BatchRecord, output: String?)] {
    var order: [String] = []
    var merged: [String: (record: BatchRecord, output: String?)] = [:]
    for source in sources {
      for (record, output) in try records(source) {
        guard let known = merged[record.file] else {
          order.append(record.file)
          merged[record.file] = (record, output)
          continue
        }
        // A part that has it done knows more than one that failed.
        if known.record.failure != nil || record.failure == nil { merged[record.file] = (record, output) }
      }
    }
    return order.compactMap { merged[$0] }
  }

  /// With the paths of results that are there.
  private static func records(_ source: String) throws -> [(BatchRecord, output: String?)] {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
      guard Ledger.marksResults(source) else {
        throw ShareEngineError(.notBatchFolder, ["file": source])
      }
      return try Ledger.records(in: absolutePath(source)).map { record in
        (record, record.output.map { absolutePath(source) + "/" + $0 })
      }
    }
    let bytes = try DurableFile.read(source, limit: 1 << 30)
    return try bytes.split(separator: UInt8(ascii: "\n")).enumerated().map { number, line in
      if let record = try? JSONDecoder().decode(BatchRecord.self, from: line), record.isPlausible {
        return (record, nil)
      } else {
        throw ShareEngineError(.notBatchReport, ["file": source, "line": "\(number + 1)"])
      }
    }
  }
}
