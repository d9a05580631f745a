internal import ISOMedia

/// The location of one chunk in a RIFF file.
struct RIFFChunk: Equatable, ContainerElement {
  static let term = "chunk"
  static let smallestHeader: Int64 = 8

  var type: FourCC
  /// The type of the contents of a `RIFF` or `LIST`, which precedes the payload.
  var listType: FourCC?
  var ordinal = 1
  /// The payload, without the padding byte.
  var range: Range<Int64>
  /// The number of bytes that the header declares after the end of the parent. The file is damaged or truncated if this
  /// isn't 0.
  var overrun: Int64

  /// Files larger than a gigabyte have `AVIX` chunks after `AVI `, which are counted together with it.
  var kind: [FourCC?] { [type, type == "RIFF" ? nil : listType] }

  var payload: Range<Int64> { min(range.lowerBound + (listType == nil ? 8 : 12), range.upperBound)..<range.upperBound }

  /// The name in paths: `idx1`, `LIST strl`. The second chunk of the same kind is numbered.
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
