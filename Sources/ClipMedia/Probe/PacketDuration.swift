import LibAV

/// Computes the duration of a track's frames, packet by packet.
///
/// MP4 and QuickTime store the exact duration of each sample, and all frames of an AVI have the same one. Other
/// containers have a default for all frames, which some writers set to a millisecond. Then the distance to the previous
/// packet is used, unless frames are reordered.
struct PacketDuration {
  private let isExact: Bool
  private var isReordered = false
  private var lastDecodingTicks: Int64?
  private var smallestStep: Int64?

  init(_ stream: SourceStream) { isExact = ["mp4", "avi"].contains(where: stream.containerFormatName.contains) }

  /// Returns the duration of the next packet in file order, in ticks; 0 if unknown.
  mutating func next(_ packet: Packet) -> Int64 {
    guard !isExact, let ticks = packet.decodingTicks ?? packet.presentationTicks else { return packet.durationTicks }
    defer { lastDecodingTicks = ticks }
    if let shown = packet.presentationTicks, shown != ticks { isReordered = true }
    guard let lastDecodingTicks else { return packet.durationTicks }
    let (step, overflows) = ticks.subtractingReportingOverflow(lastDecodingTicks)
    if overflows { return packet.durationTicks }
    if step > 0 { smallestStep = min(smallestStep ?? step, step) }
    // Packets that follow each other may not be shown after each other, so a gap between them may be anywhere.
    let usual = isReordered ? smallestStep ?? 0 : step
    return usual / 2 <= packet.durationTicks ? packet.durationTicks : usual
  }
}
