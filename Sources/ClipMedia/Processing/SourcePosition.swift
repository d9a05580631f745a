import ClipModel
import LibAV

extension InputContainer {
  /// This container, standing at a key frame that is shown at or before a time; or a fresh one, standing at its start.
  ///
  /// Demuxers seek by decoding time, or in a transport stream to any packet: both may land behind the key frame that is
  /// needed. So the first key frame that comes is looked at, and a further step back is taken when it is too late.
  /// - Parameter seconds: on the container's own clock.
  func positioned(before seconds: Double, stream: SourceStream, interruption: Interruption) throws -> InputContainer {
    let wanted = Int64(saturating: (seconds / stream.timeBase.value).rounded())
    // Seconds; usual distances of key frames.
    for step in [0.0, 2, 10] where seconds - step > originSeconds {
      let target = Int64(saturating: ((seconds - step) / stream.timeBase.value).rounded())
      guard try seek(stream: stream, ticks: target) else { break }
      guard let key = try nextKeyFrame(of: stream, interruption: interruption), key <= wanted else { continue }
      try seek(stream: stream, ticks: target)
      return self
    }
    return try reopened()
  }

  /// When the next key frame that can be read is shown.
  private func nextKeyFrame(of stream: SourceStream, interruption: Interruption) throws -> Int64? {
    let packet = try Packet()
    while try read(into: packet) {
      try interruption.check()
      if packet.streamIndex == stream.index, packet.isKeyFrame { return packet.presentationTicks }
    }
    return nil
  }

  /// MP4 and QuickTime tell how long each track is shown; others only how long the whole file lasts.
  var tellsTrackLengths: Bool { formatName.contains("mp4") }

  /// How long there is something to see or hear. Matroska counts from the zero of its clock, wherever it begins.
  var presentationSeconds: Double? {
    guard formatName.contains("matroska"), let seconds = durationSeconds, originSeconds > 0, originSeconds < seconds
    else { return durationSeconds }
    return seconds - originSeconds
  }

  /// How much later than the presentation a track begins, where its length does not include that: seconds. The length
  /// of a track in MP4 and QuickTime counts from the beginning of the presentation.
  func leadSeconds(of index: Int) -> Double {
    guard !tellsTrackLengths, let start = streams.first(where: { $0.index == index })?.start?.seconds else { return 0 }
    return max(start - originSeconds, 0)
  }

  /// Where the presentation begins on the container's own clock, seconds. QuickTime's clock starts at the presentation;
  /// a transport stream's anywhere.
  var originSeconds: Double {
    tellsTrackLengths ? 0 : streams.compactMap { $0.start?.seconds }.min() ?? 0
  }
}
