import LibAV

/// How long the pictures of a track last, packet by packet.
///
/// MP4 and QuickTime keep the exact duration of each sample, and in AVI all frames last equally. Elsewhere it is the container's default for all frames,
/// which some writers set to a millisecond: then the distance to the packet before counts, unless pictures are reordered.
struct PacketDuration {
  private let isExact: Bool
  private var isReordered = false
  private var lastDecodingTicks: Int64?
  private var smallestStep: Int64?

  init(_ stream: SourceStream) { isExact = ["mp4", "avi"].contains(where: stream.containerFormatName.contains) }

  /// Of the next packet in file order, ticks; 0 when unknown.
  mutating func next(_ packet: Packet) -> Int64 {
    guard !isExact, let ticks = packet.decodingTicks ?? packet.presentationTicks else { return packet.durationTicks }
    defer { lastDecodingTicks = ticks }
    if let shown = packet.presentationTicks, shown != ticks { isReordered = true }
    guard let lastDecodingTicks else { return packet.durationTicks }
    let (step, isTooMuch) = ticks.subtractingReportingOverflow(lastDecodingTicks)
    if isTooMuch { return packet.durationTicks }
    if step > 0 { smallestStep = min(smallestStep ?? step, step) }
    // Neighbours in decoding order are not neighbours on screen: a gap between them may be anywhere.
    let usual = isReordered ? smallestStep ?? 0 : step
    return usual / 2 <= packet.durationTicks ? packet.durationTicks : usual
  }
}
