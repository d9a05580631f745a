import Crypto
import DurableFiles
import Foundation

/// An object in Google Cloud Storage's JSON format, in which 64-bit numbers are strings and digests are base64.
struct ObjectDocument: Encodable {
  var kind = "storage#object"
  var bucket: String
  var name: String
  var size: String
  /// The checksum's four bytes in big-endian order, as base64.
  var crc32c: String
  var md5Hash: String

  /// Reads the complete file to describe the object. Blocks the calling thread.
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
