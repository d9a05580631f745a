import ClipModel
import LibAV

extension InputContainer {
  /// Returns this container, positioned at a key frame that is shown at or before a time, or a new container at the
  /// start of the file.
  ///
  /// Demuxers seek by decoding time or, in transport streams, to any packet, and may land after the right key frame.
  /// Therefore, this method reads the next key frame, and seeks further back if that frame is too late.
  /// - Parameter seconds: a time on the container's clock, in seconds.
  func positionedAtKeyFrame(before seconds: Double, stream: SourceStream, interruption: Interruption) throws
    -> InputContainer
  {
    let limit = OutputWindow.ticks(seconds, in: stream.timeBase)
    // Seek back by the usual key frame intervals.
    for step in [0.0, 2, 10] where seconds - step > originSeconds {
      let target = OutputWindow.ticks(seconds - step, in: stream.timeBase)
      guard try seek(stream: stream, ticks: target) else { break }
      guard let key = try nextKeyFrame(of: stream, interruption: interruption), key <= limit else { continue }
      try seek(stream: stream, ticks: target)
      return self
    }
    return try reopen()
  }

  /// Reads packets up to the next key frame and returns its presentation time.
  private func nextKeyFrame(of stream: SourceStream, interruption: Interruption) throws -> Int64? {
    let packet = try Packet()
    while try read(into: packet) {
      try interruption.check()
      if packet.streamIndex == stream.index, packet.isKeyFrame { return packet.presentationTicks }
    }
    return nil
  }

  /// Whether the container stores the duration of each track, which only MP4 and QuickTime do.
  var hasTrackDurations: Bool { formatName.contains("mp4") }

  /// The duration of the presentation in seconds. Matroska measures durations from timestamp zero, even if the
  /// presentation starts later.
  var presentationSeconds: Double? {
    guard formatName.contains("matroska"), let seconds = durationSeconds, originSeconds > 0, originSeconds < seconds
    else { return durationSeconds }
    return seconds - originSeconds
  }

  /// Returns the delay between the start of the presentation and the start of a track, in seconds. Returns 0 for MP4
  /// and QuickTime, where a track's duration includes the delay.
  func leadSeconds(of index: Int) -> Double {
    guard !hasTrackDurations, let start = streams.first(where: { $0.index == index })?.start?.seconds else { return 0 }
    return max(start - originSeconds, 0)
  }

  /// The start of the presentation on the container's clock, in seconds. QuickTime's clock starts with the
  /// presentation; the clock of a transport stream can start anywhere.
  var originSeconds: Double {
    hasTrackDurations ? 0 : streams.compactMap { $0.start?.seconds }.min() ?? 0
  }
}
