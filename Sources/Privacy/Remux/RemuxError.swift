public import ClipModel

/// An error that prevents bsc from copying a Matroska, WebM, MPEG-TS or AVI file without its location data.
public enum RemuxError: ExplainedError, Equatable {
  /// The container format can't be written. Only Matroska, WebM, MPEG-TS and AVI are supported.
  case unsupported(name: String)
  /// The file is an MPEG program stream (`.mpg`, `.vob`), which can be read but not written.
  case programStream(name: String)
  /// The file is truncated: it declares more bytes than it contains.
  case cutOff(name: String)
  /// libav can't write a track to the same container format.
  case noPlace(name: String, track: Int, codec: String)
  /// A track starts in the middle of the file.
  case lateTrack(name: String, track: Int)
  /// The packets in the copy would have different durations.
  case otherTimes(name: String, track: Int, codec: String)
  /// A packet has no timestamps, but the container requires them.
  case noTime(name: String, track: Int, codec: String)
  /// A message couldn't be removed from a frame.
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
        strip: "track-unsupported", name, "the container format does not support track \(track + 1) (\(codec))",
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
