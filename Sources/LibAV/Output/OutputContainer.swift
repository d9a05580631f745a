import CFFmpeg
public import ClipModel
import Foundation

/// An MP4 file, or an HTTP Live Streaming folder, that is being written. Confined to one thread, except that several
/// threads may write packets.
public final class OutputContainer: Muxer {
  private let options: [(String, String)]
  /// Serializes writing, because two threads must not use a format context at once (avformat.h).
  private let writing = NSLock()

  /// Starts an HTTP Live Streaming stream of fragmented MP4 in an existing folder: `master.m3u8`, `index.m3u8`,
  /// `init.mp4` and `segment0.m4s`…, which refer to each other by name.
  /// - Parameters:
  ///   - folder: the absolute path of the folder.
  ///   - segmentSeconds: each segment ends with the first key frame after this many seconds.
  public init(
    hlsIn folder: String, segmentSeconds: Int, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    options = [
      ("hls_time", "\(segmentSeconds)"), ("hls_playlist_type", "vod"), ("hls_list_size", "0"),
      ("hls_segment_type", "fmp4"), ("hls_fmp4_init_filename", "init.mp4"), ("master_pl_name", "master.m3u8"),
      ("hls_flags", "independent_segments"),
      // This is a pattern, so percent signs in the folder path are escaped.
      ("hls_segment_filename", folder.replacingOccurrences(of: "%", with: "%%") + "/segment%d.m4s"),
    ]
    try super.init("hls", to: .files, path: folder + "/index.m3u8", interruption: interruption)
  }

  /// Starts an MP4 file at `path`, with its `moov` at the start (faststart). An existing file is overwritten.
  public init(mp4At path: String, interruption: Interruption = Interruption()) throws(FFmpegError) {
    options = [("movflags", "+faststart")]
    try super.init("mp4", to: .file, path: path, interruption: interruption)
  }

  /// Adds a track whose packets are copied from a source, without side data except the orientation.
  /// - Parameter orientation: the orientation that replaces the source's.
  public func addTrack(
    copying source: SourceStream, orientation: Orientation? = nil
  ) throws(FFmpegError) -> Int {
    let stream = try newStream(copying: source)
    // The muxer chooses the tag, because the source's may not exist in MP4. HEVC is the exception: the muxer would
    // choose `hev1`, which Apple's players reject.
    let isHEVC = source.parameters.codec_id == AV_CODEC_ID_HEVC
    stream.pointee.codecpar.pointee.codec_tag = isHEVC ? hevcSampleEntry : 0
    try setOrientation(orientation ?? source.orientation, of: stream)
    return Int(stream.pointee.index)
  }

  /// Sets the recording date in ISO 8601 format. It is the only metadata that is kept.
  public func setCaptureDate(_ date: String) {
    av_dict_set(&pointer.pointee.metadata, "creation_time", date, 0)
  }

  public func writeHeader() throws(FFmpegError) { try writeHeader(options) }

  /// Writes a packet whose timestamps are in `timeBase`, and takes ownership of its bytes.
  public func write(_ packet: Packet, track index: Int, timeBase: Rational) throws(FFmpegError) {
    try assign(packet, toTrack: index, timeBase: timeBase)
    writing.lock()
    defer { writing.unlock() }
    try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
  }
}
