internal import ClipModel
internal import ISOMedia

extension ByteSource {
  /// The positions of records of one size that fill a range, read in windows: a log may be large, memory must not.
  func positions(
    in range: Range<Int64>, recordSize: Int, _ position: (RecordFields) -> GeoPosition?
  ) throws(ISOMediaError) -> PositionTrace {
    var trace = PositionTrace()
    let window = max(1, 65_536 / recordSize) * recordSize
    var offset = range.lowerBound
    while offset < range.upperBound {
      let fields = RecordFields(try bytes(at: offset, count: Int(min(Int64(window), range.upperBound - offset))))
      guard fields.count >= recordSize else { break }
      for start in stride(from: 0, to: fields.count, by: recordSize) {
        trace.add(fields.record(at: start, count: recordSize).flatMap(position))
      }
      offset += Int64(window)
    }
    return trace
  }

  /// The first bytes of a range.
  func fields(in range: Range<Int64>, atMost limit: Int = 1 << 20) throws(ISOMediaError) -> RecordFields {
    RecordFields(try bytes(in: range, atMost: limit))
  }
}
