import LibAV

/// Computes the durations of a track's frames, packet by packet.
///
/// MP4 and QuickTime store the exact duration of each sample, and all frames of an AVI have the same duration. Other
/// containers have a default duration, which some writers set to one millisecond. In that case, the interval since the
/// previous packet is used, unless frames are reordered.
struct PacketDuration {
  private let isExact: Bool
  private var isReordered = false
  private var lastDecodingTicks: Int64?
  private var smallestStep: Int64?

  init(_ stream: SourceStream) { isExact = ["mp4", "avi"].contains(where: stream.containerFormatName.contains) }

  /// Returns the duration of the next packet in file order, in ticks, or 0 if the duration is unknown.
  mutating func next(_ packet: Packet) -> Int64 {
    guard !isExact, let ticks = packet.decodingTicks ?? packet.presentationTicks else { return packet.durationTicks }
    defer { lastDecodingTicks = ticks }
    if let shown = packet.presentationTicks, shown != ticks { isReordered = true }
    guard let lastDecodingTicks else { return packet.durationTicks }
    let (step, overflows) = ticks.subtractingReportingOverflow(lastDecodingTicks)
    if overflows { return packet.durationTicks }
    if step > 0 { smallestStep = min(smallestStep ?? step, step) }
    // If frames are reordered, consecutive packets may not be shown consecutively, so use the smallest interval
    // instead.
    let usual = isReordered ? smallestStep ?? 0 : step
    return usual / 2 <= packet.durationTicks ? packet.durationTicks : usual
  }
}
