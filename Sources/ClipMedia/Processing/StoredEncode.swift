package import ClipModel
import DurableFiles
import Foundation

/// The file with the finished GOPs of an interrupted encode (`EncodingCheckpoint`), for callers that don't encode.
package struct StoredEncode {
  /// The path of the file.
  let path: String

  /// - Parameter destination: the path of the encode's output.
  package init(of destination: String) { path = EncodingCheckpoint.path(for: destination) }

  /// Removes the file. If that fails, a later run removes it (`removeExpired(in:)`). Blocks.
  package func remove() { try? DurableFile.remove(path) }

  /// Returns how far the encode is. Returns `nil` if no GOP is stored, or if a different version of bsc stored them.
  ///
  /// Reads only a few records, and doesn't affect an encode that is running. Blocks.
  package func readProgress() -> EncodingProgress? {
    // The first two records describe the encode and the track.
    let (first, last) = RecordLog.readEnds(of: path, firstCount: 2)
    return last.flatMap { EncodingCheckpoint.progress(header: first[0], track: first[1], lastGOP: $0) }
  }
}
