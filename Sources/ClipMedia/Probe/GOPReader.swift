import ClipModel
import ISOMedia

/// Reads the groups of pictures from the container's index and the first bytes of its key frames.
struct GOPReader {
  /// A packet in the index.
  struct Entry {
    /// The decoding time.
    var ticks: Int64
    var isKeyFrame: Bool
    /// The position in the file, in bytes.
    var byteRange: Range<Int64>
  }

  /// The packets of the track in decoding order, except those that an edit list hides.
  let entries: [Entry]
  /// The length of a tick.
  let tickSeconds: Double
  /// The time of the first frame.
  let startSeconds: Double?
  /// The duration of the track.
  let durationSeconds: Double?
  /// Parses the packets; `nil` for codecs that aren't parsed.
  let units: NALUnitParser?
  /// The maximum number of key frames whose times are stored.
  var timesLimit = Self.timesLimit

  /// The maximum number of key frames that are parsed: more than five hours at one key frame per second.
  private static let parseLimit = 20_000
  /// The default limit, enough for a quarter of an hour of phone video.
  static let timesLimit = 1000

  /// - Parameter source: the file, to parse its key frames. If it is `nil`, `isClosed` remains unknown.
  func facts(in source: (any ByteSource)?) throws(ISOMediaError) -> GOPFacts? {
    var keys = entries.indices.filter { entries[$0].isKeyFrame }
    guard let first = keys.first, let start = entries.first else { return nil }
    // Frames before the first key frame cannot be decoded, but count as a group.
    let startsWithKey = first == 0
    if !startsWithKey { keys.insert(0, at: 0) }
    func seconds(_ index: Int) -> Double { Double(entries[index].ticks) * tickSeconds }
    let times = keys.map(seconds)
    let end = max(Double(start.ticks) * tickSeconds + (durationSeconds ?? 0), times.last ?? 0)
    let lengths = zip(times, times.dropFirst() + [end]).map { $1 - $0 }
    // All key frames have the same delay between decoding and presentation.
    let delay = (startSeconds ?? seconds(first)) - seconds(first)
    let heads = try source.map { source throws(ISOMediaError) in try self.heads(of: keys, in: source) } ?? nil
    var facts = GOPFacts(
      keyFrameCount: keys.count, longestSeconds: lengths.max() ?? 0,
      averageSeconds: lengths.reduce(0, +) / Double(lengths.count))
    facts.highestBitsPerSecond = highestRate(keys, lengths)
    facts.isClosed = startsWithKey ? heads.flatMap(Self.isClosed) : false
    facts.keyFrameSeconds = times.prefix(timesLimit).map { $0 + delay }
    let damaged = zip(heads ?? [], times).filter { $0.0 == .damaged }.map { max(0, $0.1 + delay) }
    if !damaged.isEmpty { facts.damagedKeyFrameSeconds = Array(damaged.prefix(timesLimit)) }
    return facts
  }

  private func highestRate(_ keys: [Int], _ lengths: [Double]) -> Int64? {
    guard entries.allSatisfy({ !$0.byteRange.isEmpty }) else { return nil }
    let ends = keys.dropFirst() + [entries.count]
    var rates: [Double] = []
    var bytes: Int64 = 0
    var seconds = 0.0
    for ((key, end), length) in zip(zip(keys, ends), lengths) {
      bytes += entries[key..<end].reduce(0) { $0 + Int64($1.byteRange.count) }
      seconds += length
      // The bit rate of a very short group is not meaningful, so short groups are merged, and the rest at the end is
      // ignored.
      guard seconds >= 0.25 || keys.count == 1 else { continue }
      if seconds > 0 { rates.append(Double(bytes) * 8 / seconds) }
      (bytes, seconds) = (0, 0)
    }
    return rates.max().map { Int64(saturating: $0) }
  }

  /// The kind of a key frame.
  private enum Head {
    /// An IDR picture: no later frame refers to earlier ones.
    case idr
    /// A frame of another type.
    case other
    /// A unit exceeds its sample.
    case damaged
    /// The slices are after the parsed units.
    case unknown
  }

  private static func isClosed(_ heads: [Head]) -> Bool? {
    if heads.contains(.other) { return false }
    return heads.allSatisfy { $0 == .idr } ? true : nil
  }

  /// - Returns: `nil` for codecs and framings that aren't parsed, and for too many key frames.
  private func heads(of keys: [Int], in source: any ByteSource) throws(ISOMediaError) -> [Head]? {
    guard let units, keys.count <= Self.parseLimit else { return nil }
    var heads: [Head] = []
    for key in keys { heads.append(try head(entries[key].byteRange, in: source, units: units)) }
    return heads
  }

  private func head(
    _ range: Range<Int64>, in source: any ByteSource, units: NALUnitParser
  ) throws(ISOMediaError) -> Head {
    // Another rule reports data after the end of the file.
    guard range.upperBound <= source.byteCount else { return .unknown }
    var iterator = NALUnitIterator(range, in: source, lengthSize: units.lengthSize)
    for _ in 0..<NALUnitParser.unitLimit {
      guard let header = try iterator.next() else { return iterator.problem == nil ? .unknown : .damaged }
      let type = units.setup.codec.unitType(header)
      switch units.setup.codec {
      // Slices are below 32; 19 and 20 are IDR.
      case .hevc: if type < 32 { return type == 19 || type == 20 ? .idr : .other }
      // Slices are 1 to 5; 5 is IDR.
      case .h264: if (1...5).contains(type) { return type == 5 ? .idr : .other }
      }
    }
    return .unknown
  }
}
