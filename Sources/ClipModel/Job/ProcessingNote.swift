/// A note for the user about a processed clip, such as damage in the source. Identify a note by its case or its `id`,
/// because texts can change.
public enum ProcessingNote: Codable, Equatable, Sendable {
  /// The audio is damaged at a number of places, the first of them at a time in seconds. Encoded audio is silent there.
  case audioDamaged(seconds: Double, placeCount: Int, isSilent: Bool)
  /// The clip has no audio, because this part of the source has none.
  case audioMissing
  /// The clip has no audio, because the decoder of the source's track fails.
  case audioUndecodable(track: Int)
  /// The clip has no audio, because the codec of the source's track has no decoder.
  case audioUnsupported(track: Int, codec: String)
  /// Copied video ends after the requested end.
  case cutOverrun(milliseconds: Int)
  /// An interrupted encode continued at a time in seconds.
  case encodeContinued(seconds: Double)
  /// The clip was encoded again for each of the reasons.
  case encodeRepeated(reasons: [String])
  /// An interrupted encode started again. It was outdated if the source, the settings or the version of bsc changed.
  /// Otherwise, it could not be continued.
  case encodeRestarted(isOutdated: Bool)
  /// A hardware encoder encoded the clip.
  case hardwareEncoder(name: String)
  /// No hardware encoder works, so x264 encoded the clip.
  case softwareEncoder(why: String)
  /// Frames were dropped because their timestamps were out of order.
  case framesDropped(count: Int)
  /// Private SEI messages were removed from copied frames.
  case framesScrubbed(count: Int)
  /// Mux has to transcode the clip before playback.
  case nonStandardInput(warning: String)
  /// The clip has more bytes than its source: as a copy, or because a smaller size needs a quality that is too low.
  case largerThanSource(byteCount: Int64, isCopy: Bool, isQualityLimited: Bool)
  /// The pictures could not be rendered.
  case picturesFailed(why: String)
  /// The clip ends at a time in seconds, because the source is damaged there.
  case sourceDamaged(seconds: Double, why: String)
  /// The clip ends at a time in seconds, because the source is truncated there.
  case sourceTruncated(seconds: Double)
  /// The clip doesn't contain these video, audio and subtitle tracks of the source.
  case tracksOmitted(tracks: [Int])
  /// A note of a job that an earlier version of bsc processed. Its journal has only texts.
  case earlier(text: String)

  /// The stable ID of the kind of note.
  public var id: String {
    switch self {
    case .audioDamaged: "audio.damaged"
    case .audioMissing: "audio.missing"
    case .audioUndecodable: "audio.undecodable"
    case .audioUnsupported: "audio.unsupported"
    case .cutOverrun: "cut.overrun"
    case .encodeContinued: "encode.continued"
    case .encodeRepeated: "encode.repeated"
    case .encodeRestarted: "encode.restarted"
    case .hardwareEncoder: "encoder.hardware"
    case .softwareEncoder: "encoder.software"
    case .framesDropped: "frames.dropped"
    case .framesScrubbed: "frames.scrubbed"
    case .nonStandardInput: "input.non-standard"
    case .largerThanSource: "output.larger"
    case .picturesFailed: "pictures.failed"
    case .sourceDamaged: "source.damaged"
    case .sourceTruncated: "source.truncated"
    case .tracksOmitted: "tracks.omitted"
    case .earlier: "note.earlier"
    }
  }

  /// The note as a sentence without a period.
  public var text: String {
    switch self {
    case .audioDamaged(let seconds, let placeCount, let isSilent):
      "the audio is damaged at \(decimal(seconds)) s"
        + (placeCount == 1 ? "" : " and in \(placeCount - 1) more places") + (isSilent ? " and silent there" : "")
    case .audioMissing: "this part has no audio"
    case .audioUndecodable(let track): "no audio: track \(track) cannot be decoded"
    case .audioUnsupported(let track, let codec): "no audio: there is no decoder for track \(track) (\(codec))"
    case .cutOverrun(let milliseconds):
      "ends \(milliseconds) ms after the requested end, because its last frames need later frames"
    case .encodeContinued(let seconds): "continued an interrupted encode at \(clock(seconds))"
    case .encodeRepeated(let reasons):
      "encoded \(reasons.count == 1 ? "twice" : "\(reasons.count + 1) times") because "
        + reasons.joined(separator: ", then ")
    case .encodeRestarted(let isOutdated):
      isOutdated
        ? "restarted an interrupted encode because the source, the video settings or the version of bsc changed"
        : "restarted an interrupted encode because it could not be continued"
    case .hardwareEncoder(let name): "encoded with \(name)"
    case .softwareEncoder(let why): "no hardware encoder works on this machine (\(why)), so x264 was used"
    case .framesDropped(let count):
      count == 1
        ? "1 frame was dropped because its timestamp was out of order"
        : "\(count) frames were dropped because their timestamps were out of order"
    case .framesScrubbed(let count):
      "removed private SEI messages from \(count) frames; the image data is unchanged"
    case .nonStandardInput(let warning): warning
    case .largerThanSource(let byteCount, let isCopy, let isQualityLimited):
      "larger than the source by \(ByteCount.text(byteCount))"
        + (isCopy ? ", because the index and audio are larger in MP4" : "")
        + (isQualityLimited ? ", because the quality would be too low at the source's size" : "")
    case .picturesFailed(let why): "no pictures: \(why)"
    case .sourceDamaged(let seconds, let why): "ends at \(decimal(seconds)) s: the source is damaged there (\(why))"
    case .sourceTruncated(let seconds): "ends at \(decimal(seconds)) s: the source is truncated there"
    case .tracksOmitted(let tracks):
      "omitted track\(tracks.count == 1 ? "" : "s") \(tracks.map(\.description).joined(separator: ", ")): "
        + "only one video and one audio track are kept"
    case .earlier(let text): text
    }
  }
}
