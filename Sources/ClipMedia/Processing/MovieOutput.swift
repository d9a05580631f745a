import ClipModel
import LibAV

/// The file that a pipeline writes. Packets may be written on multiple threads, but all other calls must be on one
/// thread.
protocol MovieOutput: AnyObject {
  func addTrack(from encoder: Encoder, orientation: Orientation) throws -> Int
  func addTrack(copying source: SourceStream) throws -> Int
  func setCaptureDate(_ date: String)
  func writeHeader() throws
  /// Writes a packet whose timestamps are in `timeBase`. The packet's contents can be lost.
  func write(_ packet: Packet, track index: Int, timeBase: Rational) throws
  /// Writes the index. When this method returns, the file is complete, but may not have been flushed to the disk.
  func finish() throws
}

extension OutputContainer: MovieOutput {
  func addTrack(copying source: SourceStream) throws -> Int { try addTrack(copying: source, orientation: nil) }
}
