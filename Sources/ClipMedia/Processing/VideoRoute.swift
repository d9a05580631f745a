import ClipModel
import Foundation
import LibAV

/// Packets that are decoded, scaled and encoded anew, with their timestamps exact. Decodes on the caller's thread; the
/// rest happens in a `PictureLine`.
final class VideoRoute: PacketRoute {
  private let decoder: SourceDecoder
  private let deinterlacer: Deinterlacer?
  private let track: EncodedTrack
  private var duration: PacketDuration
  private let line: PictureLine
  private let examiner: DecodingExaminer?
  /// Of the decoder's pictures.
  private let sourceTimeBase: Rational
  /// Of the pictures that are shown: finer behind a deinterlacer.
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  private let divisor: Int
  private let name: String
  /// Damage ends the output instead of refusing the source.
  private let salvages: Bool
  /// Length of the output as it was planned, in ticks.
  private let plannedEnd: Int64
  private let isLengthExact: Bool
  /// Where the last packet's time on screen ends, as far as packets tell; on the source's clock, in its ticks.
  private var packetEnd: Int64?
  private var lastTicks: Int64?
  private var shownCount = 0
  /// Pictures with a time that had passed.
  private(set) var droppedCount = 0
  /// Ticks of one frame at the average rate.
  private let frameTicks: Int64
  /// With a cut: the decoded picture before it.
  private var shownBefore: Frame?
  private var isLineOpen = true
  private(set) var isComplete = false
  /// Where the good part of a damaged source ends, seconds of the output.
  private(set) var salvagedSeconds: Double?
  private(set) var notes: [String] = []

  init(
    _ stream: SourceStream, output: OutputContainer, window: OutputWindow, settings: VideoRouteSettings, name: String,
    tap: PictureTap?, examiner: DecodingExaminer? = nil
  ) throws {
    self.name = name
    self.examiner = examiner
    duration = PacketDuration(stream)
    sourceTimeBase = stream.timeBase
    deinterlacer = settings.steps.contains(.deinterlace) ? Deinterlacer(timeBase: stream.timeBase) : nil
    timeBase = deinterlacer?.timeBase ?? stream.timeBase
    origin = window.origin(in: timeBase)
    length = window.length(in: timeBase)
    divisor = max(settings.encoding.frameRateDivisor, 1)
    salvages = settings.salvages
    frameTicks = max(1, Int64((1 / settings.frameRate.value / timeBase.value).rounded()))
    decoder = try SourceDecoder(stream, threadCount: settings.decoderThreadCount, skipsNonReferenceDeblocking: true)
    isLengthExact = settings.isLengthExact && !settings.salvages
    plannedEnd = Int64((settings.endSeconds / timeBase.value).rounded())
    let (encoder, note) = try settings.encoder(timeBase: timeBase)
    if let note { notes.append(note) }
    track = try EncodedTrack(encoder: encoder, output: output, orientation: stream.orientation, tap: tap)
    let layout = settings.layout
    line = PictureLine(
      scalerCount: PictureLine.scalerCount(cores: settings.coreCount), track: track
    ) { try FrameScaler(target: layout) }
  }

  deinit { if isLineOpen { line.abandon() } }

  var reachedSeconds: Double { track.reachedSeconds }
  var writtenCount: Int { track.writtenCount }

  func take(_ packet: Packet) throws {
    guard !isComplete else { return }
    try salvaging {
      let lasting = duration.next(packet)
      if let ticks = packet.presentationTicks, lasting > 0 {
        // Whatever a file claims: a sum must not trap.
        packetEnd = max(packetEnd ?? ticks, ticks &+ lasting)
      }
      try send(packet)
    }
  }

  func finish() throws {
    if salvagedSeconds == nil {
      try salvaging {
        try send(nil)
        try deinterlacer?.send(nil)
        try drainDeinterlacer()
        // The last picture of all stands still through the whole cut.
        if lastTicks == nil, let opening = shownBefore { try push(opening, ticks: 0) }
      }
    }
    if salvagedSeconds == nil { endWithTheSource() }
    if droppedCount > 0 {
      notes.append(
        droppedCount == 1
          ? "a frame was dropped: its time had passed" : "\(droppedCount) frames were dropped: their times had passed")
    }
    isLineOpen = false
    try line.finish()
  }

  /// A picture may stand still to the end, but not longer than there are packets for it: a source that is cut off must
  /// not look whole.
  private func endWithTheSource() {
    guard let packetEnd, let lastTicks else { return }
    let ticks = Timestamp(ticks: packetEnd, timeBase: sourceTimeBase).rescaled(to: timeBase).ticks - origin
    // libav shortens the last packet by an edit in front that shows nothing.
    track.end(at: isLengthExact ? plannedEnd : min(ticks, plannedEnd))
    guard salvages, ticks < plannedEnd - 2 * frameTicks else { return }
    let kept = Double(max(ticks, lastTicks + frameTicks)) * timeBase.value
    salvagedSeconds = kept
    notes.append("ends at \(decimal(kept)) s: the source is cut off there")
  }

  func abandon() {
    guard isLineOpen else { return }
    isLineOpen = false
    line.abandon()
  }

  /// Runs `body`; damage ends the output there when that is wanted.
  private func salvaging(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch ClipMediaError.damaged(let name, let seconds, let why) {
      // Pictures behind the damage were never shown: what is kept ends with the last one before it.
      let kept = lastTicks.map { Double($0 + frameTicks) * timeBase.value } ?? 0
      guard salvages, kept > 0 else { throw ClipMediaError.damaged(name: name, seconds: seconds, why: why) }
      isComplete = true
      salvagedSeconds = kept
      notes.append("ends at \(decimal(kept)) s: the source is damaged there (\(why))")
    }
  }

  private func send(_ packet: Packet?) throws {
    try decoder.take(packet) { damage in
      // What is decoded after the end of a cut is not part of it.
      guard !isComplete else { return }
      throw self.damage(at: damage.ticks, why: damage.why)
    } output: { frame, isHidden in
      guard !isComplete else { return }
      if isHidden {
        try hide(frame)
      } else if let deinterlacer {
        try deinterlacer.send(frame)
        try drainDeinterlacer()
      } else {
        try show(frame)
      }
    }
  }

  /// A picture that an edit list cuts off. The last one before the presentation is on screen when that begins.
  private func hide(_ frame: Frame) throws {
    guard length == nil, deinterlacer == nil, let ticks = frame.presentationTicks, ticks < origin else { return }
    shownBefore = frame
  }

  private func drainDeinterlacer() throws {
    while let frame = try deinterlacer?.receive() { try show(frame) }
  }

  private func show(_ frame: Frame) throws {
    guard let source = frame.presentationTicks, !isComplete else { return }
    let ticks = source - origin
    if length == nil, let opening = shownBefore {
      shownBefore = nil
      if ticks > 0 { try push(opening, ticks: 0) }
    }
    if let length {
      // Of the frames before the cut the last one may be on screen when it begins.
      guard ticks >= 0 else {
        shownBefore = frame
        return
      }
      if let opening = shownBefore {
        shownBefore = nil
        if ticks > frameTicks || ticks >= length { try push(opening, ticks: 0) }
      }
      if ticks >= length {
        isComplete = true
        return
      }
    }
    defer { shownCount += 1 }
    guard shownCount % divisor == 0 else { return }
    if let lastTicks, ticks <= lastTicks {
      droppedCount += 1
      return
    }
    try push(frame, ticks: ticks)
  }

  private func push(_ frame: Frame, ticks: Int64) throws {
    lastTicks = ticks
    try examiner?.look(at: frame, seconds: Double(ticks) * timeBase.value)
    try line.push(TimedPicture(frame: frame, ticks: ticks))
  }

  /// - Parameter ticks: of the source; without them the damage is behind the last picture.
  private func damage(at ticks: Int64?, why: String) -> ClipMediaError {
    let origin = Double(origin) * timeBase.value
    let seconds =
      ticks.map { Double($0) * sourceTimeBase.value - origin }
      ?? lastTicks.map { Double($0) * timeBase.value } ?? 0
    return .damaged(name: name, seconds: max(seconds, 0), why: why)
  }
}
