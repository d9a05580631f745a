import LibAV

/// How long the pictures of a track last, packet by packet.
///
/// MP4 and QuickTime keep the exact duration of each sample. Elsewhere it is the container's default for all frames,
/// which some writers set to a millisecond: then the distance to the packet before counts, unless pictures are reordered.
struct PacketDuration {
  private let isExact: Bool
  private var isReordered = false
  private var lastDecodingTicks: Int64?

  init(_ stream: SourceStream) { isExact = stream.containerFormatName.contains("mp4") }

  /// Of the next packet in file order, ticks; 0 when unknown.
  mutating func next(_ packet: Packet) -> Int64 {
    guard !isExact, let ticks = packet.decodingTicks ?? packet.presentationTicks else { return packet.durationTicks }
    defer { lastDecodingTicks = ticks }
    // Neighbours in decoding order are not neighbours on screen: a gap between them may be anywhere.
    if let shown = packet.presentationTicks, shown != ticks { isReordered = true }
    guard let lastDecodingTicks, !isReordered else { return packet.durationTicks }
    let (step, isTooMuch) = ticks.subtractingReportingOverflow(lastDecodingTicks)
    return isTooMuch || step / 2 <= packet.durationTicks ? packet.durationTicks : step
  }
}
