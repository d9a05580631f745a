import ClipModel
import LibAV
import Privacy

extension Prober {
  /// Reads the properties of a container without a complete index from its packets. The packets' properties override
  /// the properties from the headers.
  /// - Parameter container: a container that is positioned at its first packet. The call reads it to its end.
  static func scan(
    _ container: InputContainer, of source: MediaFile, into probe: inout ClipProbe, interruption: Interruption
  ) throws {
    let end = try ContainerCompleteness(source.bytes)
    probe.missingByteCount = end?.missingByteCount
    probe.unreadableByteCount = end?.unreadableByteCount
    let streams = Dictionary(uniqueKeysWithValues: container.streams.map { ($0.index, $0) })
    // Check the sizes of AVI files and complete Matroska files instead of their durations. The duration of an
    // unfinished AVI is wrong, and a Matroska file may show its last frame longer than its other frames.
    let isBySize = container.formatName == "avi" || end?.declaresSize == true
    let declared = container.isDurationOfHeaders && !isBySize ? container.durationSeconds : nil
    let origin = container.originSeconds
    let scan = try PacketScan(container, interruption: interruption)
    for position in probe.videoTracks.indices where !probe.videoTracks[position].isAttachedPicture {
      let index = probe.videoTracks[position].index
      guard let stream = streams[index] else { continue }
      probe.videoTracks[position].apply(scan.tracks[index], timeBase: stream.timeBase)
    }
    for position in probe.audioTracks.indices {
      let index = probe.audioTracks[position].index
      guard let stream = streams[index], let track = scan.tracks[index], let ticks = track.ticks,
        let end = track.endTicks
      else { continue }
      probe.audioTracks[position].startSeconds = Double(ticks.lowerBound) * stream.timeBase.value
      probe.audioTracks[position].durationSeconds = Double(end - ticks.lowerBound) * stream.timeBase.value
    }
    probe.incompletePacketCount =
      probe.videoTracks.compactMap { scan.tracks[$0.index]?.corruptCount }.reduce(0, +)
    guard let end = scan.endSeconds else { return }
    // Matroska measures the duration from timestamp zero.
    let length = end - (container.formatName.contains("matroska") ? 0 : origin)
    if let declared { probe.missingSeconds = max(declared - length, 0) }
    probe.durationSeconds = end - origin
    probe.bitsPerSecond = end > origin ? Int64(saturating: Double(probe.byteCount) * 8 / (end - origin)) : nil
  }
}

extension VideoTrack {
  /// Replaces the properties with those of the packets.
  /// - Parameter track: the packet statistics, or `nil` if the track has no packets.
  fileprivate mutating func apply(_ track: PacketScan.Track?, timeBase: Rational) {
    frameCount = Int64(track?.count ?? 0)
    shownFrameCount = frameCount
    guard let track, let ticks = track.ticks, let end = track.endTicks else {
      durationSeconds = nil
      return
    }
    startSeconds = Double(ticks.lowerBound) * timeBase.value
    let seconds = Double(end - ticks.lowerBound) * timeBase.value
    durationSeconds = seconds
    averageFrameRate = track.frameRate(timeBase: timeBase, declared: averageFrameRate)
    if bitsPerSecond == nil, seconds > 0 { bitsPerSecond = Int64(saturating: Double(track.byteCount) * 8 / seconds) }
  }
}
