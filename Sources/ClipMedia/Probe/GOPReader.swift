import ClipModel
import ISOMedia

/// Groups of pictures, from the container's index and the first bytes of its key frames.
struct GOPReader {
  /// A packet of the index.
  struct Entry {
    /// When it is decoded.
    var ticks: Int64
    var isKeyFrame: Bool
    /// Where it lies in the file, bytes.
    var byteRange: Range<Int64>
  }

  /// Every packet of the track, in decoding order, without those that an edit list cuts off.
  let entries: [Entry]
  /// Of a tick.
  let tickSeconds: Double
  /// When the first picture is shown.
  let startSeconds: Double?
  /// Length of the track, seconds.
  let durationSeconds: Double?
  /// How packets are made of units; `nil` for codecs that are not looked into.
  let units: NALUnitParser?
  /// Key frames whose times are kept.
  var timesLimit = Self.timesLimit

  /// Key frames that are looked into: hours of film with one every second.
  private static let lookLimit = 20_000
  /// Key frames whose times are kept: a quarter of an hour of phone video has as many.
  static let timesLimit = 1000

  /// - Parameter source: the file, to look into its key frames; `nil` leaves open whether groups are closed.
  func facts(in source: (any ByteSource)?) throws(ISOMediaError) -> GOPFacts? {
    var keys = entries.indices.filter { entries[$0].isKeyFrame }
    guard let first = keys.first, let start = entries.first else { return nil }
    // Pictures before the first key frame cannot be decoded, and are a group all the same.
    let begins = first == 0
    if !begins { keys.insert(0, at: 0) }
    func seconds(_ index: Int) -> Double { Double(entries[index].ticks) * tickSeconds }
    let times = keys.map(seconds)
    let end = max(Double(start.ticks) * tickSeconds + (durationSeconds ?? 0), times.last ?? 0)
    let lengths = zip(times, times.dropFirst() + [end]).map { $1 - $0 }
    // Key frames are shown as long after they are decoded as the first one is.
    let delay = (startSeconds ?? seconds(first)) - seconds(first)
    let heads = try source.map { source throws(ISOMediaError) in try self.heads(of: keys, in: source) } ?? nil
    var facts = GOPFacts(
      keyFrameCount: keys.count, longestSeconds: lengths.max() ?? 0,
      averageSeconds: lengths.reduce(0, +) / Double(lengths.count))
    facts.highestBitsPerSecond = highestRate(keys, lengths)
    facts.isClosed = begins ? heads.flatMap(Self.isClosed) : false
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
      // Of a moment no rate means anything: short groups are taken together, and the rest of a clip is left out.
      guard seconds >= 0.25 || keys.count == 1 else { continue }
      if seconds > 0 { rates.append(Double(bytes) * 8 / seconds) }
      (bytes, seconds) = (0, 0)
    }
    return rates.max().map { Int64(saturating: $0) }
  }

  /// How a key frame begins.
  private enum Head {
    /// An IDR picture: nothing behind it refers to what was before.
    case idr
    /// A picture of another kind.
    case other
    /// No unit fits.
    case damaged
    /// Behind what is read of a picture's head.
    case unknown
  }

  private static func isClosed(_ heads: [Head]) -> Bool? {
    if heads.contains(.other) { return false }
    return heads.allSatisfy { $0 == .idr } ? true : nil
  }

  /// - Returns: `nil` for codecs and framings that are not looked into, and for more key frames than any film has.
  private func heads(of keys: [Int], in source: any ByteSource) throws(ISOMediaError) -> [Head]? {
    guard let units, keys.count <= Self.lookLimit else { return nil }
    var heads: [Head] = []
    for key in keys { heads.append(try head(entries[key].byteRange, in: source, units: units)) }
    return heads
  }

  private func head(
    _ range: Range<Int64>, in source: any ByteSource, units: NALUnitParser
  ) throws(ISOMediaError) -> Head {
    // What is not in the file is missing, which another rule tells.
    guard range.upperBound <= source.byteCount else { return .unknown }
    var walk = NALUnitIterator(range, in: source, lengthSize: units.lengthSize)
    for _ in 0..<NALUnitParser.unitLimit {
      guard let header = try walk.next() else { return walk.problem == nil ? .unknown : .damaged }
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
