public import ClipModel

/// An error that prevents a Matroska, WebM, MPEG-TS or AVI file from being copied without its location data.
public enum RemuxError: ExplainedError, Equatable {
  /// The container format cannot be written. Only Matroska, WebM, MPEG-TS and AVI are supported.
  case unsupported(name: String)
  /// An MPEG program stream (`.mpg`, `.vob`), which can be read but not written.
  case programStream(name: String)
  /// The file declares more bytes than it has.
  case cutOff(name: String)
  /// libav cannot write a track to the same container format.
  case noPlace(name: String, track: Int, codec: String)
  /// A track starts in the middle of the file.
  case lateTrack(name: String, track: Int)
  /// The packets of the copy would have different durations.
  case otherTimes(name: String, track: Int, codec: String)
  /// A packet has no timestamps, which the container requires.
  case noTime(name: String, track: Int, codec: String)
  /// A message could not be removed from a frame.
  case cannotCut(name: String, track: Int, kind: String)

  public var explanation: Explanation {
    switch self {
    case .unsupported(let name):
      Explanation(strip: "unsupported-container", name, "it is not an MP4, MOV, Matroska, WebM, MPEG-TS or AVI file")
    case .programStream(let name):
      Explanation(strip: "program-stream", name, "writing MPEG program streams (.mpg, .vob) is not supported")
    case .cutOff(let name): Explanation(strip: "cut-off", name, "the file is truncated", .rejected)
    case .noPlace(let name, let track, let codec):
      Explanation(
        strip: "track-unsupported", name, "track \(track + 1) (\(codec)) cannot be written to a file of this type",
        track: track)
    case .lateTrack(let name, let track):
      Explanation(strip: "late-track", name, "track \(track + 1) starts in the middle of the file", track: track)
    case .otherTimes(let name, let track, let codec):
      Explanation(
        strip: "times-not-kept", name, "the timestamps of track \(track + 1) (\(codec)) cannot be preserved",
        track: track)
    case .noTime(let name, let track, let codec):
      Explanation(
        strip: "packet-without-time", name, "a packet in track \(track + 1) (\(codec)) has no timestamp", track: track)
    case .cannotCut(let name, let track, let kind):
      Explanation(
        strip: "cannot-cut", name, "\(kind) cannot be removed from the frames of track \(track + 1)", .unexpected,
        track: track
      )
    }
  }
}
