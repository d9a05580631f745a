import ClipModel
import ISOMedia
import LibAV

/// Groups of pictures, from the container's index and the first bytes of its key frames.
struct GOPReader {
  /// Every packet of the track, in decoding order, without those that an edit list cuts off.
  let entries: [SourceStream.IndexEntry]
  let stream: SourceStream
  /// Length of the track, seconds.
  let durationSeconds: Double?

  /// Key frames whose times are kept: a quarter of an hour of phone video has as many.
  private static let timesLimit = 1000

  /// - Parameter source: the file, to look into its key frames; `nil` leaves open whether groups are closed.
  func facts(in source: (any ByteSource)?) throws(ISOMediaError) -> GOPFacts? {
    let timeBase = stream.timeBase
    let keys = entries.indices.filter { entries[$0].isKeyFrame }
    guard let first = keys.first, let start = entries.first else { return nil }
    func seconds(_ index: Int) -> Double { Double(entries[index].ticks) * timeBase.value }
    let times = keys.map(seconds)
    let end = max(Double(start.ticks) * timeBase.value + (durationSeconds ?? 0), times.last ?? 0)
    let lengths = zip(times, times.dropFirst() + [end]).map { $1 - $0 }
    // Key frames are shown as long after they are decoded as the first one is.
    let delay = (stream.start?.seconds ?? seconds(first)) - seconds(first)
    return GOPFacts(
      keyFrameCount: keys.count, longestSeconds: lengths.max() ?? 0,
      averageSeconds: lengths.reduce(0, +) / Double(lengths.count), highestBitsPerSecond: highestRate(keys, lengths),
      isClosed: try source.map { source throws(ISOMediaError) in try isClosed(keys, in: source) } ?? nil,
      keyFrameSeconds: times.prefix(Self.timesLimit).map { $0 + delay })
  }

  private func highestRate(_ keys: [Int], _ lengths: [Double]) -> Int64? {
    guard entries.allSatisfy({ !$0.byteRange.isEmpty }) else { return nil }
    let ends = keys.dropFirst() + [entries.count]
    let rates = zip(zip(keys, ends), lengths).compactMap { group, seconds -> Double? in
      // The rest of a clip behind its last key frame can be too short for a rate to mean anything.
      guard seconds >= 0.25 || keys.count == 1 else { return nil }
      let bytes = entries[group.0..<group.1].reduce(0) { $0 + Int64($1.byteRange.count) }
      return seconds > 0 ? Double(bytes) * 8 / seconds : nil
    }
    return rates.max().map { Int64($0) }
  }

  /// - Returns: `nil` for codecs and framings that are not looked into, and for damage.
  private func isClosed(_ keys: [Int], in source: any ByteSource) throws(ISOMediaError) -> Bool? {
    guard let units = PictureUnits(stream) else { return nil }
    var answer: Bool? = true
    for key in keys {
      guard let isIDR = try beginsAnew(entries[key].byteRange, in: source, units: units) else {
        answer = nil
        continue
      }
      if !isIDR { return false }
    }
    return answer
  }

  /// Whether a picture is an IDR picture: nothing behind it refers to what was before.
  private func beginsAnew(
    _ range: Range<Int64>, in source: any ByteSource, units: PictureUnits
  ) throws(ISOMediaError) -> Bool? {
    let lengthSize = units.lengthSize
    var position = range.lowerBound
    for _ in 0..<PictureUnits.unitLimit where position < range.upperBound {
      let head = try source.bytes(at: position, count: lengthSize + 1)
      guard head.count == lengthSize + 1 else { return nil }
      let length = head[..<lengthSize].reduce(0) { $0 << 8 | Int64($1) }
      if units.isHEVC {
        let type = head[lengthSize] >> 1 & 0x3F
        // Slices are below 32; 19 and 20 are IDR.
        if type < 32 { return type == 19 || type == 20 }
      } else {
        let type = head[lengthSize] & 0x1F
        // Slices are 1 to 5; 5 is IDR.
        if (1...5).contains(type) { return type == 5 }
      }
      position += Int64(lengthSize) + length
    }
    return nil
  }
}
