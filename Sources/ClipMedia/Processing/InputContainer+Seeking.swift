import ClipModel
import LibAV

extension InputContainer {
  /// This container, positioned at a key frame that is shown at or before a time; or a new one at the start of the
  /// file.
  ///
  /// Demuxers seek by decoding time, or to any packet of a transport stream: both may land after the right key frame.
  /// So this reads the first key frame, and seeks further back if that frame is too late.
  /// - Parameter seconds: a time on the container's own clock.
  func positioned(before seconds: Double, stream: SourceStream, interruption: Interruption) throws -> InputContainer {
    let limit = OutputWindow.ticks(seconds, in: stream.timeBase)
    // The usual distances of key frames in seconds.
    for step in [0.0, 2, 10] where seconds - step > originSeconds {
      let target = OutputWindow.ticks(seconds - step, in: stream.timeBase)
      guard try seek(stream: stream, ticks: target) else { break }
      guard let key = try nextKeyFrame(of: stream, interruption: interruption), key <= limit else { continue }
      try seek(stream: stream, ticks: target)
      return self
    }
    return try reopened()
  }

  /// The presentation time of the next key frame.
  private func nextKeyFrame(of stream: SourceStream, interruption: Interruption) throws -> Int64? {
    let packet = try Packet()
    while try read(into: packet) {
      try interruption.check()
      if packet.streamIndex == stream.index, packet.isKeyFrame { return packet.presentationTicks }
    }
    return nil
  }

  /// Whether the container stores the duration of each track: MP4 and QuickTime. Others store only that of the file.
  var hasTrackDurations: Bool { formatName.contains("mp4") }

  /// The duration of the presentation. Matroska measures it from timestamp zero, regardless of where the presentation
  /// starts.
  var presentationSeconds: Double? {
    guard formatName.contains("matroska"), let seconds = durationSeconds, originSeconds > 0, originSeconds < seconds
    else { return durationSeconds }
    return seconds - originSeconds
  }

  /// How much later than the presentation a track starts, in seconds. 0 for MP4 and QuickTime, where the duration of a
  /// track includes it.
  func leadSeconds(of index: Int) -> Double {
    guard !hasTrackDurations, let start = streams.first(where: { $0.index == index })?.start?.seconds else { return 0 }
    return max(start - originSeconds, 0)
  }

  /// The start of the presentation on the container's own clock, in seconds. QuickTime's clock starts with the
  /// presentation; the clock of a transport stream can start anywhere.
  var originSeconds: Double {
    hasTrackDurations ? 0 : streams.compactMap { $0.start?.seconds }.min() ?? 0
  }
}
