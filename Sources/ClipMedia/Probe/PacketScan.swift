import ClipModel
import Foundation
import LibAV

/// What the packets of a container tell, read once from its first to its last byte without decoding.
///
/// Headers of Matroska, WebM, AVI and MPEG-TS may lack durations and frame rates, or be wrong: a recorder that streams
/// writes them before it knows. MP4 has its tables instead (`HeaderProbe`).
struct PacketScan {
  /// One track of sound or pictures.
  struct Track {
    /// Shown pictures, or packets of sound.
    var count = 0
    var byteCount: Int64 = 0
    /// Packets that the container flags as cut short.
    var corruptCount = 0
    /// When the shown pictures begin, ticks, ascending; empty for sound.
    var pictureTicks: [Int64] = []
    /// First and last time, ticks; `nil` when no packet has a time.
    var ticks: ClosedRange<Int64>?
    /// The end of the last packet's time, ticks.
    var endTicks: Int64?
    fileprivate var duration: PacketDuration
    fileprivate var lastDuration: Int64 = 0
    fileprivate var keyTicks: Int64?

    fileprivate init(_ stream: SourceStream) { duration = PacketDuration(stream) }
  }

  /// By stream index.
  private(set) var tracks: [Int: Track] = [:]
  /// The end of the last packet of any stream, seconds on the container's clock.
  private(set) var endSeconds: Double?

  /// More are counted, but their times are not kept: two hours of 60 pictures a second, in 4 MB.
  private static let pictureLimit = 1 << 19

  /// - Parameter container: stands at its first packet.
  init(_ container: InputContainer, interruption: Interruption) throws {
    let streams = Dictionary(uniqueKeysWithValues: container.streams.map { ($0.index, $0) })
    let packet = try Packet()
    while try container.read(into: packet) {
      try interruption.check()
      guard let stream = streams[packet.streamIndex] else { continue }
      tracks[stream.index, default: Track(stream)].add(packet, of: stream)
    }
    for (index, stream) in streams {
      guard tracks[index]?.finish() != nil, let end = tracks[index]?.endTicks else { continue }
      endSeconds = max(endSeconds ?? -.infinity, Double(end) * stream.timeBase.value)
    }
  }
}

extension PacketScan.Track {
  fileprivate mutating func add(_ packet: Packet, of stream: SourceStream) {
    // What a stream that was cut out of a longer one begins with belongs to that.
    if packet.isCorrupt, !stream.isOfUnindexedContainer || keyTicks != nil { corruptCount += 1 }
    byteCount += Int64(packet.byteCount)
    guard let ticks = packet.presentationTicks ?? packet.decodingTicks else {
      count += 1
      return
    }
    if stream.kind == .video {
      // Pictures in front of the first key frame cannot be decoded.
      if keyTicks == nil, packet.isKeyFrame { keyTicks = ticks }
      guard !packet.isDiscarded, !HiddenFrame.isOne(packet, codec: stream.codecName) else { return }
      if let keyTicks, ticks < keyTicks { return }
      if BlankFrame.isOne(packet, codec: stream.codecName) { corruptCount += 1 }
      if keyTicks == nil, stream.isOfUnindexedContainer { return }
      if pictureTicks.count < PacketScan.pictureLimit { pictureTicks.append(ticks) }
    }
    count += 1
    let lasting = duration.next(packet)
    if ticks >= self.ticks?.upperBound ?? .min { lastDuration = lasting }
    self.ticks = min(self.ticks?.lowerBound ?? ticks, ticks)...max(self.ticks?.upperBound ?? ticks, ticks)
  }

  /// Works out when the last packet's time ends.
  fileprivate mutating func finish() {
    let packetCount = pictureTicks.count
    pictureTicks = Set(pictureTicks).sorted()
    // A packet with the time of another one holds no picture of its own.
    count -= packetCount - pictureTicks.count
    guard let ticks else { return }
    let step = usualStep ?? 0
    let (end, isTooMuch) = ticks.upperBound.addingReportingOverflow(lastDuration > step / 2 ? lastDuration : step)
    endTicks = isTooMuch ? ticks.upperBound : end
  }

  /// The distance of two pictures that half of them keep, ticks; `nil` for fewer than two.
  private var usualStep: Int64? {
    let steps = zip(pictureTicks, pictureTicks.dropFirst()).map { $1 &- $0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// Pictures a second between the first and the last one.
  /// - Parameter claim: of the headers; taken where the times agree with it, because it is exact and they are rounded.
  func frameRate(timeBase: Rational, claim: Rational?) -> Rational? {
    guard let span, count > 1 else { return claim }
    let measured = Double(count - 1) / (Double(span) * timeBase.value)
    // Both ends are rounded to a tick.
    let tolerance = max(0.001, 2 / Double(span))
    let known = [claim].compactMap(\.self) + Self.usualRates
    if let exact = known.first(where: { abs($0.value / measured - 1) <= tolerance }) { return exact }
    return Rational(reducing: Int64(count - 1) * Int64(timeBase.denominator), span * Int64(timeBase.numerator))
  }

  /// From the first time to the last one, ticks; `nil` for one time, and for what no clip lasts.
  private var span: Int64? {
    guard let ticks else { return nil }
    let (span, isTooMuch) = ticks.upperBound.subtractingReportingOverflow(ticks.lowerBound)
    return isTooMuch || span <= 0 || span > 1 << 42 ? nil : span
  }

  /// What cameras and editors write.
  private static let usualRates: [Rational] =
    [Rational(24000, 1001), Rational(30000, 1001), Rational(60000, 1001), Rational(120_000, 1001)]
    + [10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120, 240].map { Rational($0, 1) }
}
