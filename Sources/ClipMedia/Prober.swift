public import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV

/// Reads what a media file is: the only code that turns a file into a `ClipProbe`.
public enum Prober {
  /// - Throws: `ClipMediaError.notMedia` or `.cutOff`, `FFmpegError`, `DurableFileError` for a missing or unreadable file.
  public static func probe(path: String) async throws -> ClipProbe {
    try await MediaThread.run(named: "bsc probe") { interruption in
      try probe(path: path, interruption: interruption)
    }
  }

  /// - Parameter known: the same packets in another container: what only decoding tells is taken from there.
  static func probe(
    path: String, interruption: Interruption, known: VideoTrack? = nil
  ) throws -> ClipProbe {
    let (identity, container) = try open(
      path: path, analysis: known == nil ? .always : .whenNeeded, interruption: interruption)
    let streams = container.streams
    var probe = ClipProbe(
      container: container.formatName, byteCount: identity.byteCount, durationSeconds: container.presentationSeconds,
      bitsPerSecond: container.bitsPerSecond,
      videoTracks: try streams.filter { $0.kind == .video }.map { try videoTrack($0, in: container) },
      audioTracks: streams.filter { $0.kind == .audio }.map(audioTrack),
      dataTracks: streams.filter { $0.kind != .video && $0.kind != .audio }.map(dataTrack))
    let brands: Set = ["major_brand", "minor_version", "compatible_brands"]
    probe.majorBrand = container.metadata["major_brand"]
    probe.metadataKeys = container.metadata.keys.filter { !brands.contains($0) }.sorted()
    probe.captureDate = container.metadata["creation_time"]
    try addBoxFacts(to: &probe, path: path, streams: streams)
    if let known, probe.videoTracks.count == 1 {
      probe.videoTracks[0].profile = known.profile
      probe.videoTracks[0].level = known.level
      probe.videoTracks[0].pixelFormat = known.pixelFormat
      probe.videoTracks[0].bitDepth = known.bitDepth
      probe.videoTracks[0].color = known.color
      probe.videoTracks[0].fieldOrder = known.fieldOrder
    }
    return probe
  }

  /// Opens a file, or says what is wrong with it.
  static func open(
    path: String, analysis: InputContainer.Analysis, interruption: Interruption
  ) throws -> (FileIdentity, InputContainer) {
    let identity = try FileIdentity.of(path)
    let name = (path as NSString).lastPathComponent
    guard identity.byteCount > 0 else { throw ClipMediaError.notMedia(name: name, why: "the file is empty") }
    do {
      return (identity, try InputContainer(path: path, interruption: interruption, analysis: analysis))
    } catch {
      guard !error.isInterruption, error.explanation.category == .unjudged else { throw error }
      if let boxes = try? ISOFile.read(path: path)?.topLevelBoxes.map(\.type), boxes.contains("mdat"),
        !boxes.contains("moov")
      {
        throw ClipMediaError.cutOff(name: name)
      }
      let why =
        error.isForbiddenFormat
        ? "it is no video" : "it is no video, or too damaged to open (\(error.logLine ?? error.codeText))"
      throw ClipMediaError.notMedia(name: name, why: why)
    }
  }

  private static func videoTrack(
    _ stream: SourceStream, in container: InputContainer
  ) throws(ISOMediaError) -> VideoTrack {
    var track = VideoTrack(
      index: stream.index, codec: stream.codecName, codecTag: stream.codecTag, profile: stream.profileName,
      level: stream.level, pixelFormat: stream.pixelFormat?.name, bitDepth: stream.pixelFormat?.bitDepth,
      width: stream.width, height: stream.height, sampleAspectRatio: stream.sampleAspectRatio,
      orientation: stream.orientation, averageFrameRate: stream.averageFrameRate, realFrameRate: stream.realFrameRate,
      frameCount: stream.frameCount, durationSeconds: stream.duration?.seconds ?? container.presentationSeconds,
      startSeconds: stream.start?.seconds, bitsPerSecond: stream.bitsPerSecond, color: stream.color,
      isDefault: stream.isDefault, isAttachedPicture: stream.isAttachedPicture, fieldOrder: stream.fieldOrder,
      language: language(stream))
    let entries = stream.indexEntries
    // Only containers that index every frame can tell; Matroska and the like index key frames.
    if entries.count > 1, let count = stream.frameCount, entries.count >= count {
      let shown = entries.filter { !$0.isDiscarded }
      track.hasVariableFrameRate = hasVariableFrameRate(shown)
      let isIndexOfFile = container.tellsTrackLengths
      track.gop = try GOPReader(entries: shown, stream: stream, durationSeconds: track.durationSeconds)
        .facts(in: isIndexOfFile ? FileBytes(path: container.path) : nil)
    }
    return track
  }

  private static func hasVariableFrameRate(_ entries: [SourceStream.IndexEntry]) -> Bool {
    let distances = zip(entries, entries.dropFirst()).map { $1.ticks - $0.ticks }
    guard let least = distances.min(), let most = distances.max() else { return false }
    return most - least > 1
  }

  private static func audioTrack(_ stream: SourceStream) -> AudioTrack {
    AudioTrack(
      index: stream.index, codec: stream.codecName, codecTag: stream.codecTag, profile: stream.profileName,
      sampleRate: stream.sampleRate, channelCount: stream.channelCount, channelLayout: stream.channelLayoutName,
      bitsPerSecond: stream.bitsPerSecond, durationSeconds: stream.duration?.seconds,
      startSeconds: stream.start?.seconds, isDefault: stream.isDefault, language: language(stream))
  }

  private static func dataTrack(_ stream: SourceStream) -> DataTrack {
    DataTrack(
      index: stream.index, type: stream.kind.rawValue, codecTag: stream.codecTag,
      codec: stream.codecName == "none" ? nil : stream.codecName, handlerName: stream.metadata["handler_name"],
      durationSeconds: stream.duration?.seconds)
  }

  private static func language(_ stream: SourceStream) -> String? {
    stream.metadata["language"].flatMap { $0 == "und" ? nil : $0 }
  }
}
