import ClipModel
import ISOMedia
import LibAV

extension Prober {
  /// What only the container's own structure tells: where location sits, edit lists, bytes that are missing.
  static func addBoxFacts(to probe: inout ClipProbe, path: String, streams: [SourceStream]) throws {
    guard let file = try ISOFile.read(path: path) else {
      probe.locationCarriers = carriersSeenByLibAV(probe, streams: streams)
      return
    }
    probe.isFastStart = file.isFastStart
    probe.isFragmented = file.isFragmented
    probe.locationCarriers = file.locationCarriers
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

  /// For containers without boxes: metadata keys and timed tracks.
  private static func carriersSeenByLibAV(_ probe: ClipProbe, streams: [SourceStream]) -> [LocationCarrier] {
    let words = ["location", "gps", "latitude", "longitude", "coordinates", "xyz"]
    func isLocation(_ key: String) -> Bool { words.contains { key.lowercased().contains($0) } }
    var carriers = probe.metadataKeys.filter(isLocation).map {
      LocationCarrier(kind: "metadata", place: "metadata key \($0)")
    }
    for stream in streams {
      for key in stream.metadata.keys.sorted() where isLocation(key) {
        carriers.append(
          LocationCarrier(
            kind: "metadata", place: "track \(stream.index), metadata key \(key)", trackIndex: stream.index))
      }
      switch stream.kind {
      case .video, .audio, .attachment: break
      case .data, .subtitle, .unknown:
        carriers.append(
          LocationCarrier(
            kind: "timed-\(stream.kind.rawValue)",
            place: "track \(stream.index) (\(stream.codecTag ?? stream.codecName))", trackIndex: stream.index))
      }
    }
    return carriers
  }
}
