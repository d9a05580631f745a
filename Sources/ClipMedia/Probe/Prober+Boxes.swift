import ClipModel
import ISOMedia
import Privacy

extension Prober {
  /// The sample entries of encrypted tracks, from Common Encryption (ISO/IEC 23001-7) and QuickTime.
  private static let encrypted: Set<FourCC> = ["encv", "enca", "enct", "encs", "drmi", "drms", "p608"]

  /// Adds properties that can only be determined from the boxes, such as private metadata, edit lists and missing
  /// bytes.
  /// - Parameters:
  ///   - origin: the GPS positions in the file from which this file was created.
  ///   - trackIndex: a closure that returns the index in `file.tracks` for a stream index.
  @discardableResult
  static func addBoxProperties(
    to probe: inout ClipProbe, bytes: any ByteSource, file: ISOFile?, depth: Auditor.Depth,
    origin: SourcePositions? = nil, trackIndex: (Int) -> Int?
  ) throws(ISOMediaError) -> AuditReport {
    let audit = try Auditor.audit(file, of: bytes, depth: depth, madeFrom: origin)
    probe.apply(audit)
    guard let file else { return audit }
    probe.majorBrand = file.majorBrand?.description
    probe.compatibleBrands = file.compatibleBrands.map(\.description)
    probe.isFastStart = file.isFastStart
    probe.isFragmented = file.isFragmented
    probe.anomalies = file.anomalies
    probe.tableProblems = file.tableProblems
    probe.trailer = file.trailer.map { FileTrailer(kind: $0.kind.rawValue, byteCount: Int64($0.range.count)) }
    probe.missingByteCount = file.missingByteCount
    probe.isEncrypted = file.tracks.contains { $0.sampleEntries.contains { Self.encrypted.contains($0.format) } }
    func findTrack(_ index: Int) -> ISOTrack? { trackIndex(index).map { file.tracks[$0] } }
    for index in probe.videoTracks.indices {
      guard let track = findTrack(probe.videoTracks[index].index) else { continue }
      if track.sampleEntries.count > 1 {
        // These properties may differ between frames, because frames may use different sample entries.
        probe.videoTracks[index].pixelFormat = nil
        probe.videoTracks[index].profile = nil
      }
      probe.videoTracks[index].hasSimpleEdits = track.hasSimpleEdits
      if probe.videoTracks[index].shownFrameCount == nil {
        probe.videoTracks[index].hiddenSeconds = track.hiddenSeconds(movieTimescale: file.movieTimescale)
        probe.videoTracks[index].durationSeconds = track.presentationSeconds ?? probe.videoTracks[index].durationSeconds
      }
      try probe.videoTracks[index].applyTimes(of: track, in: file, bytes)
    }
    for index in probe.audioTracks.indices {
      guard let track = findTrack(probe.audioTracks[index].index) else { continue }
      probe.audioTracks[index].hasSimpleEdits = track.hasSimpleEdits
      probe.audioTracks[index].hiddenSeconds = track.hiddenSeconds(movieTimescale: file.movieTimescale)
      probe.audioTracks[index].durationSeconds = track.presentationSeconds ?? probe.audioTracks[index].durationSeconds
      if !file.isFragmented { probe.audioTracks[index].stalledSampleCount = track.stalledSampleCount }
    }
    let longest = (probe.videoTracks.map(\.durationSeconds) + probe.audioTracks.map(\.durationSeconds))
      .compactMap { $0 }.max()
    probe.durationSeconds = longest ?? probe.durationSeconds
    return audit
  }
}

extension VideoTrack {
  /// Adds the properties from the sample table, unless `HeaderProbe` has already read them.
  fileprivate mutating func applyTimes(
    of track: ISOTrack, in file: ISOFile, _ bytes: any ByteSource
  ) throws(ISOMediaError) {
    guard shownFrameCount == nil, let samples = try file.samples(of: track, in: bytes), !samples.isEmpty else {
      if !file.isFragmented, stalledSampleCount == nil { stalledSampleCount = track.stalledSampleCount }
      return
    }
    if !file.isFragmented, stalledSampleCount == nil { stalledSampleCount = samples.stalledCount }
    frameCount = Int64(samples.count)
    if track.hasSimpleEdits {
      let shown = ShownSamples(samples, of: track, movieTimescale: file.movieTimescale)
      shownFrameCount = Int64(shown.frameCount)
      if let seconds = shown.seconds {
        (startSeconds, durationSeconds, hiddenSeconds) = (seconds.lowerBound, seconds.upperBound, shown.hiddenSeconds)
      }
    }
    // libav estimates the frame rate of a fragmented file from the first fragment only.
    if let rate = samples.frameRate(timescale: track.timescale),
      abs(rate.value / (averageFrameRate?.value ?? 0) - 1) > 0.01
    {
      averageFrameRate = rate
    }
  }
}

extension ClipProbe {
  /// Replaces the metadata carriers with the carriers that an audit found.
  fileprivate mutating func apply(_ report: AuditReport) {
    locationCarriers = report.mustBeRemoved.map(\.carrier)
    deviceCarriers = report.found.map(\.carrier).filter { $0.disclosure == .identity }
    unauditedParts = report.unread.isEmpty ? nil : report.unread
  }
}
