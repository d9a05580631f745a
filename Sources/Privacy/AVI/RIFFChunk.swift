internal import ISOMedia

/// The type and location of a chunk in a RIFF file.
struct RIFFChunk: Equatable, ContainerElement {
  static let term = "chunk"
  static let smallestHeader: Int64 = 8

  var type: FourCC
  /// The list type of a `RIFF` or `LIST` chunk, which precedes the payload; `nil` for other chunks.
  var listType: FourCC?
  var ordinal = 1
  /// The byte range of the payload, excluding the padding byte.
  var range: Range<Int64>
  /// The number of bytes by which the declared size exceeds the parent. If this isn't 0, the file is damaged or
  /// truncated.
  var overrun: Int64

  /// Files larger than a gigabyte have `AVIX` chunks after the `AVI ` chunk. They share its numbering.
  var kind: [FourCC?] { [type, type == "RIFF" ? nil : listType] }

  var payload: Range<Int64> { min(range.lowerBound + (listType == nil ? 8 : 12), range.upperBound)..<range.upperBound }

  /// The name in paths, such as `idx1` or `LIST strl`. Repeated chunks of the same kind are numbered.
  var name: String {
    let name = listType.map { type == "RIFF" ? "RIFF" : "LIST \($0)" } ?? "\(type)"
    return name + (ordinal > 1 ? "[\(ordinal)]" : "")
  }

  static func read(_ header: inout ByteCursor, at start: Int64, end: Int64) -> (element: RIFFChunk, next: Int64)? {
    guard let type = header.fourCC(), type.isPrintable, let size = header.u32()?.byteSwapped else { return nil }
    let listType = type == "RIFF" || type == "LIST" ? header.fourCC() : nil
    let left = end - start - 8
    let stop = start + 8 + min(Int64(size), left)
    let chunk = RIFFChunk(
      type: type, listType: listType, range: start..<stop, overrun: max(0, Int64(size) - left))
    // Chunks start at even offsets.
    return (chunk, min(stop + Int64(size & 1), end))
  }
}

typealias ChunkReader = ElementReader<RIFFChunk>
