import ClipModel
import ISOMedia
import LibAV
import Privacy

extension Prober {
  /// What only the container's own structure tells: where location sits, edit lists, bytes that are missing.
  static func addBoxFacts(to probe: inout ClipProbe, path: String, streams: [SourceStream]) throws {
    let bytes = try FileBytes(path: path)
    let report = try Auditor.audit(bytes, depth: .structure)
    probe.locationCarriers = report.mustGo.map(\.carrier)
    if !report.unread.isEmpty { probe.unauditedParts = report.unread }
    guard let file = try ISOFile.read(from: bytes) else { return }
    probe.isFastStart = file.isFastStart
    probe.isFragmented = file.isFragmented
    probe.anomalies = file.anomalies
    for index in probe.videoTracks.indices {
      guard let track = track(of: probe.videoTracks[index].index, in: file, streams: streams) else { continue }
      probe.videoTracks[index].hasSimpleEdits = track.hasSimpleEdits
      probe.videoTracks[index].hiddenSeconds = track.hiddenSeconds(movieTimescale: file.movieTimescale)
      probe.videoTracks[index].durationSeconds = track.presentationSeconds ?? probe.videoTracks[index].durationSeconds
    }
    for index in probe.audioTracks.indices {
      guard let track = track(of: probe.audioTracks[index].index, in: file, streams: streams) else { continue }
      probe.audioTracks[index].hasSimpleEdits = track.hasSimpleEdits
      probe.audioTracks[index].hiddenSeconds = track.hiddenSeconds(movieTimescale: file.movieTimescale)
      probe.audioTracks[index].durationSeconds = track.presentationSeconds ?? probe.audioTracks[index].durationSeconds
    }
    probe.missingByteCount = file.missingByteCount
    let longest = (probe.videoTracks.map(\.durationSeconds) + probe.audioTracks.map(\.durationSeconds))
      .compactMap { $0 }.max()
    probe.durationSeconds = longest ?? probe.durationSeconds
  }

  private static func track(of index: Int, in file: ISOFile, streams: [SourceStream]) -> ISOTrack? {
    guard let stream = streams.first(where: { $0.index == index }) else { return nil }
    return file.tracks.first { Int($0.trackID) == stream.trackID }
  }
}
