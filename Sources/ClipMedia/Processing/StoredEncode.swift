package import ClipModel
import DurableFiles
import Foundation

/// The file with the finished GOPs of an interrupted encode (`EncodingCheckpoint`), for callers that don't encode.
package struct StoredEncode {
  /// The path of the file.
  let path: String

  /// The name of each file ends with this text.
  static let ending = ".bsc-encoding"
  /// The age at which a file is removed, in seconds: 30 days.
  private static let lifetime: Int64 = 30 * 86_400

  /// - Parameter destination: the path of the encode's output.
  package init(of destination: String) { path = EncodingCheckpoint.path(for: destination) }

  /// Removes the file. If that fails, a later run removes it (`removeExpired(in:)`). Blocks.
  ///
  /// Also call this method for outputs of earlier runs, because a run can be killed between the rename of its output and the
  /// removal of this file.
  package func remove() { try? DurableFile.remove(path) }

  /// Returns how far the encode is. Returns `nil` if no GOP is stored, or if a different version of bsc stored them.
  ///
  /// Reads only a few records, and doesn't affect an encode that is running. Blocks.
  package func readProgress() -> EncodingProgress? {
    // The first two records describe the encode and the track.
    let (first, last) = RecordLog.readEnds(of: path, firstCount: 2)
    return last.flatMap { EncodingCheckpoint.progress(header: first[0], track: first[1], lastGOP: $0) }
  }

  /// Removes the files in a folder that haven't changed for 30 days, except those that a process uses. Without this, a file
  /// whose command is never repeated would remain. Blocks.
  static func removeExpired(in folder: String) {
    let now = Int64(Date().timeIntervalSince1970)
    for name in (try? Folder.names(in: folder)) ?? [] where name.hasPrefix(".") && name.hasSuffix(ending) {
      let path = "\(folder)/\(name)"
      guard let modified = try? FileIdentity.of(path).modifiedNanoseconds, now - modified / 1_000_000_000 > lifetime,
        let log = try? RecordLog(path: path)
      else { continue }
      log.remove()
    }
  }
}
