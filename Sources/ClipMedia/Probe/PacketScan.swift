import ClipModel
import Foundation
import LibAV

/// The properties of a container's packets, read in one pass over the entire file without decoding.
///
/// In Matroska, WebM, AVI and MPEG-TS files, the durations and frame rates in the headers may be missing or wrong,
/// because streaming recorders write the headers first. MP4 files have sample tables instead (`HeaderProbe`).
struct PacketScan {
  /// The packet statistics of an audio or video track.
  struct Track {
    /// The number of shown frames of a video track, or of packets of an audio track.
    var count = 0
    var byteCount: Int64 = 0
    /// The number of packets that the container flags as truncated.
    var corruptCount = 0
    /// The sorted presentation times of the shown frames in ticks. Empty for audio tracks.
    var frameTicks: [Int64] = []
    /// The first and last presentation times in ticks, or `nil` if no packet has a timestamp.
    var ticks: ClosedRange<Int64>?
    /// The end of the last packet in ticks.
    var endTicks: Int64?
    fileprivate var duration: PacketDuration
    fileprivate var lastDuration: Int64 = 0
    fileprivate var keyTicks: Int64?

    fileprivate init(_ stream: SourceStream) { duration = PacketDuration(stream) }
  }

  /// The tracks, keyed by stream index.
  private(set) var tracks: [Int: Track] = [:]
  /// The end of the last packet in the file, in seconds on the container's clock.
  private(set) var endSeconds: Double?

  /// The maximum number of frames whose times are stored: two hours at 60 frames per second, which takes 4 MB.
  private static let frameLimit = 1 << 19

  /// Scans all packets of a container.
  /// - Parameter container: a container that is positioned at its first packet.
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
    // The first packets may be incomplete if the file was cut from a longer stream.
    if packet.isCorrupt, !stream.isOfUnindexedContainer || keyTicks != nil { corruptCount += 1 }
    byteCount += Int64(packet.byteCount)
    guard let ticks = packet.presentationTicks ?? packet.decodingTicks else {
      count += 1
      return
    }
    if stream.kind == .video {
      // Frames before the first key frame cannot be decoded.
      if keyTicks == nil, packet.isKeyFrame { keyTicks = ticks }
      guard !packet.isDiscarded, !HiddenFrame.isHidden(packet, codec: stream.codecName) else { return }
      if let keyTicks, ticks < keyTicks { return }
      if BlankFrame.isBlank(packet, codec: stream.codecName) { corruptCount += 1 }
      if keyTicks == nil, stream.isOfUnindexedContainer { return }
      if frameTicks.count < PacketScan.frameLimit { frameTicks.append(ticks) }
    }
    count += 1
    let packetDuration = duration.next(packet)
    if ticks >= self.ticks?.upperBound ?? .min { lastDuration = packetDuration }
    self.ticks = min(self.ticks?.lowerBound ?? ticks, ticks)...max(self.ticks?.upperBound ?? ticks, ticks)
  }

  /// Counts repeated timestamps once, and computes the end of the last packet.
  fileprivate mutating func finish() {
    let packetCount = frameTicks.count
    frameTicks = Set(frameTicks).sorted()
    // A packet with a repeated timestamp contains no frame.
    count -= packetCount - frameTicks.count
    guard let ticks else { return }
    let step = usualStep ?? 0
    let (end, overflows) = ticks.upperBound.addingReportingOverflow(lastDuration > step / 2 ? lastDuration : step)
    endTicks = overflows ? ticks.upperBound : end
  }

  /// The median interval between frames in ticks, or `nil` if there are fewer than two frames.
  private var usualStep: Int64? {
    let steps = zip(frameTicks, frameTicks.dropFirst()).map { $1 &- $0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// Returns the average frame rate.
  /// - Parameter declared: the frame rate in the headers. It is exact, so it is preferred if the rounded timestamps
  ///   match it.
  func frameRate(timeBase: Rational, declared: Rational?) -> Rational? {
    guard let span, count > 1 else { return declared }
    let measured = Double(count - 1) / (Double(span) * timeBase.value)
    // The first and last timestamps are rounded to a tick.
    let tolerance = max(0.001, 2 / Double(span))
    let known = [declared].compactMap(\.self) + Self.usualRates
    if let exact = known.first(where: { abs($0.value / measured - 1) <= tolerance }) { return exact }
    return Rational(reducing: Int64(count - 1) * Int64(timeBase.denominator), span * Int64(timeBase.numerator))
  }

  /// The number of ticks from the first to the last timestamp. `nil` if there is only one timestamp or the span is
  /// longer than any clip.
  private var span: Int64? {
    guard let ticks else { return nil }
    let (span, overflows) = ticks.upperBound.subtractingReportingOverflow(ticks.lowerBound)
    return overflows || span <= 0 || span > 1 << 42 ? nil : span
  }

  /// The frame rates that cameras and video editors use.
  private static let usualRates: [Rational] =
    [Rational(24000, 1001), Rational(30000, 1001), Rational(60000, 1001), Rational(120_000, 1001)]
    + [10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120, 240].map { Rational($0, 1) }
}
