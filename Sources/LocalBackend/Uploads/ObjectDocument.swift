import Crypto
import DurableFiles
import Foundation

/// An object in the JSON format of Google Cloud Storage: 64-bit numbers are text, digests are base64.
struct ObjectDocument: Encodable {
  var kind = "storage#object"
  var bucket: String
  var name: String
  var size: String
  /// Four bytes in big-endian order.
  var crc32c: String
  var md5Hash: String

  /// Reads the whole file. Blocks.
  init(_ object: ObjectName, path: String) throws {
    var md5 = Insecure.MD5()
    var crc = CRC32C()
    var byteCount = 0
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
      md5.update(data: bytes)
      crc.update(Array(bytes)[...])
      byteCount += bytes.count
    }
    bucket = object.bucket
    name = object.name
    size = String(byteCount)
    crc32c = Data((0..<4).map { UInt8(truncatingIfNeeded: crc.value >> (24 - 8 * $0)) }).base64EncodedString()
    md5Hash = Data(md5.finalize()).base64EncodedString()
  }
}
