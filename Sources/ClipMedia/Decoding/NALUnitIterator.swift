import ISOMedia

/// Iterates over the length-prefixed NAL units in a sample, and reads one unit header at a time (ISO/IEC 14496-15,
/// 5.3.4.2 and 8.3.4.2).
struct NALUnitIterator {
  let source: any ByteSource
  /// The size of a length field in bytes.
  let lengthSize: Int
  private let end: Int64
  private var position: Int64
  /// The reason why the iteration ended before the end of the sample, or `nil` if the sample is valid.
  private(set) var problem: String?

  /// - Parameter sample: the byte range of a sample, inside the source.
  init(_ sample: Range<Int64>, in source: any ByteSource, lengthSize: Int) {
    self.source = source
    self.lengthSize = lengthSize
    position = sample.lowerBound
    end = sample.upperBound
  }

  /// Returns the first byte of the next NAL unit, or `nil` at the end of the sample or if the unit is invalid.
  mutating func next() throws(ISOMediaError) -> UInt8? {
    guard problem == nil, position < end else { return nil }
    let head = try source.bytes(at: position, count: lengthSize + 1)
    guard head.count > lengthSize, position + Int64(lengthSize) < end else {
      problem = "the length field of a NAL unit is truncated"
      return nil
    }
    let length = head[..<lengthSize].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    position += Int64(lengthSize) + length
    if length == 0 {
      problem = "a NAL unit is empty"
    } else if position > end {
      problem = "a NAL unit extends past its sample by \(position - end) bytes"
    }
    return problem == nil ? head[lengthSize] : nil
  }
}
