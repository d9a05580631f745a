import ClipModel
import ISOMedia

/// Analyzes a track's groups of pictures, based on the container's index and the first bytes of each key frame.
struct GOPReader {
  /// A packet in the container's index.
  struct IndexEntry {
    /// The packet's decoding time in ticks.
    var ticks: Int64
    var isKeyFrame: Bool
    /// The packet's byte range in the file.
    var byteRange: Range<Int64>
  }

  /// The track's packets in decoding order, except for packets that the edit list hides.
  let entries: [IndexEntry]
  /// The length of a tick in seconds.
  let tickSeconds: Double
  /// The presentation time of the first frame.
  let startSeconds: Double?
  /// The duration of the track in seconds.
  let durationSeconds: Double?
  /// The parser for the key frames, or `nil` if the codec isn't supported.
  let units: NALUnitParser?
  /// The maximum number of key frames whose times are stored.
  var timesLimit = Self.timesLimit

  /// The maximum number of key frames that are parsed, which is more than five hours at one key frame per second.
  private static let parseLimit = 20_000
  /// The default maximum number of stored key frame times, enough for 15 minutes of phone video.
  static let timesLimit = 1000

  /// - Parameter source: the file that contains the key frames. If `nil`, `isClosed` remains unknown.
  func readProperties(in source: (any ByteSource)?) throws(ISOMediaError) -> GOPProperties? {
    var keys = entries.indices.filter { entries[$0].isKeyFrame }
    guard let first = keys.first, let start = entries.first else { return nil }
    // Frames before the first key frame cannot be decoded, but count as a group of pictures.
    let startsWithKey = first == 0
    if !startsWithKey { keys.insert(0, at: 0) }
    func seconds(_ index: Int) -> Double { Double(entries[index].ticks) * tickSeconds }
    let times = keys.map(seconds)
    let end = max(Double(start.ticks) * tickSeconds + (durationSeconds ?? 0), times.last ?? 0)
    let lengths = zip(times, times.dropFirst() + [end]).map { $1 - $0 }
    // The delay between decoding and presentation is the same for all key frames.
    let delay = (startSeconds ?? seconds(first)) - seconds(first)
    let kinds = try source.map { source throws(ISOMediaError) in try self.parseKeyFrames(of: keys, in: source) } ?? nil
    var facts = GOPProperties(
      keyFrameCount: keys.count, longestSeconds: lengths.max() ?? 0,
      averageSeconds: lengths.reduce(0, +) / Double(lengths.count))
    facts.highestBitsPerSecond = highestBitRate(keys, lengths)
    facts.isClosed = startsWithKey ? kinds.flatMap(Self.isClosed) : false
    facts.keyFrameSeconds = times.prefix(timesLimit).map { $0 + delay }
    let damaged = zip(kinds ?? [], times).filter { $0.0 == .damaged }.map { max(0, $0.1 + delay) }
    if !damaged.isEmpty { facts.damagedKeyFrameSeconds = Array(damaged.prefix(timesLimit)) }
    return facts
  }

  private func highestBitRate(_ keys: [Int], _ lengths: [Double]) -> Int64? {
    guard entries.allSatisfy({ !$0.byteRange.isEmpty }) else { return nil }
    let ends = keys.dropFirst() + [entries.count]
    var rates: [Double] = []
    var bytes: Int64 = 0
    var seconds = 0.0
    for ((key, end), length) in zip(zip(keys, ends), lengths) {
      bytes += entries[key..<end].reduce(0) { $0 + Int64($1.byteRange.count) }
      seconds += length
      // The bit rate of a very short group of pictures is not meaningful, so short groups are merged, and a short
      // remainder at the end is ignored.
      guard seconds >= 0.25 || keys.count == 1 else { continue }
      if seconds > 0 { rates.append(Double(bytes) * 8 / seconds) }
      (bytes, seconds) = (0, 0)
    }
    return rates.max().map { Int64(saturating: $0) }
  }

  /// The kind of a key frame, based on its first bytes.
  private enum KeyFrameKind {
    /// An IDR picture. Frames after an IDR picture don't refer to frames before it.
    case idr
    /// A frame that isn't an IDR picture.
    case other
    /// A NAL unit extends past the end of its sample.
    case damaged
    /// No slice was found in the parsed NAL units.
    case unknown
  }

  private static func isClosed(_ kinds: [KeyFrameKind]) -> Bool? {
    if kinds.contains(.other) { return false }
    return kinds.allSatisfy { $0 == .idr } ? true : nil
  }

  /// Parses the start of each key frame.
  /// - Returns: `nil` if the codec isn't supported or there are too many key frames.
  private func parseKeyFrames(of keys: [Int], in source: any ByteSource) throws(ISOMediaError) -> [KeyFrameKind]? {
    guard let units, keys.count <= Self.parseLimit else { return nil }
    var kinds: [KeyFrameKind] = []
    for key in keys { kinds.append(try parseKeyFrame(entries[key].byteRange, in: source, units: units)) }
    return kinds
  }

  private func parseKeyFrame(
    _ range: Range<Int64>, in source: any ByteSource, units: NALUnitParser
  ) throws(ISOMediaError) -> KeyFrameKind {
    // A separate rule reports data after the end of the file.
    guard range.upperBound <= source.byteCount else { return .unknown }
    var iterator = NALUnitIterator(range, in: source, lengthSize: units.lengthSize)
    for _ in 0..<NALUnitParser.unitLimit {
      guard let header = try iterator.next() else { return iterator.problem == nil ? .unknown : .damaged }
      let type = units.setup.codec.unitType(header)
      switch units.setup.codec {
      // Slices have types below 32. Types 19 and 20 are IDR slices.
      case .hevc: if type < 32 { return type == 19 || type == 20 ? .idr : .other }
      // Slices have types 1 to 5. Type 5 is an IDR slice.
      case .h264: if (1...5).contains(type) { return type == 5 ? .idr : .other }
      }
    }
    return .unknown
  }
}
