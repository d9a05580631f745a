import ClipModel
import LibAV
import Privacy

/// Containers without an index of all frames: what their packets say counts, whatever the headers claim.
extension Prober {
  /// - Parameter container: stands at its first packet; afterwards at its end.
  static func survey(
    _ container: InputContainer, of source: MediaFile, into probe: inout ClipProbe, interruption: Interruption
  ) throws {
    let end = try ContainerEnd(source.bytes)
    probe.missingByteCount = end?.missingByteCount
    probe.unreadableByteCount = end?.unreadableByteCount
    let streams = Dictionary(uniqueKeysWithValues: container.streams.map { ($0.index, $0) })
    // An unfinished AVI claims whatever its writer put there first, and a Matroska that has all of its bytes may show its
    // last picture longer than any other: sizes are checked instead.
    let isBySize = container.formatName == "avi" || end?.claimsItsSize == true
    let claim = container.isDurationOfHeaders && !isBySize ? container.durationSeconds : nil
    let origin = container.originSeconds
    let survey = try PacketScan(container, interruption: interruption)
    for place in probe.videoTracks.indices where !probe.videoTracks[place].isAttachedPicture {
      let index = probe.videoTracks[place].index
      guard let stream = streams[index] else { continue }
      probe.videoTracks[place].take(survey.tracks[index], timeBase: stream.timeBase)
    }
    for place in probe.audioTracks.indices {
      let index = probe.audioTracks[place].index
      guard let stream = streams[index], let track = survey.tracks[index], let ticks = track.ticks,
        let end = track.endTicks
      else { continue }
      probe.audioTracks[place].startSeconds = Double(ticks.lowerBound) * stream.timeBase.value
      probe.audioTracks[place].durationSeconds = Double(end - ticks.lowerBound) * stream.timeBase.value
    }
    probe.incompletePacketCount =
      probe.videoTracks.compactMap { survey.tracks[$0.index]?.corruptCount }.reduce(0, +)
    guard let end = survey.endSeconds else { return }
    // The clock of Matroska counts from its zero, wherever the first packet is.
    let length = end - (container.formatName.contains("matroska") ? 0 : origin)
    if let claim { probe.missingSeconds = max(claim - length, 0) }
    probe.durationSeconds = end - origin
    probe.bitsPerSecond = end > origin ? Int64(saturating: Double(probe.byteCount) * 8 / (end - origin)) : nil
  }
}

extension VideoTrack {
  /// - Parameter track: `nil` when there is no packet of it.
  fileprivate mutating func take(_ track: PacketScan.Track?, timeBase: Rational) {
    frameCount = Int64(track?.count ?? 0)
    shownFrameCount = frameCount
    guard let track, let ticks = track.ticks, let end = track.endTicks else {
      durationSeconds = nil
      return
    }
    startSeconds = Double(ticks.lowerBound) * timeBase.value
    let seconds = Double(end - ticks.lowerBound) * timeBase.value
    durationSeconds = seconds
    averageFrameRate = track.frameRate(timeBase: timeBase, claim: averageFrameRate)
    if bitsPerSecond == nil, seconds > 0 { bitsPerSecond = Int64(saturating: Double(track.byteCount) * 8 / seconds) }
  }
}
