import Synchronization
import Upload

/// A source whose size becomes known when more bytes are requested than it has, like a muxer's output.
final class GrowingSource: UploadSource {
  private let bytes: [UInt8]
  private let isComplete = Mutex(false)

  init(bytes: [UInt8]) { self.bytes = bytes }

  var byteCount: Int64? { isComplete.withLock { $0 } ? Int64(bytes.count) : nil }

  func waitForBytes(upTo end: Int64) -> Int64 {
    if end > bytes.count { isComplete.withLock { $0 = true } }
    return min(end, Int64(bytes.count))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let part = bytes[Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }

  func checkUnchanged() {}
}
