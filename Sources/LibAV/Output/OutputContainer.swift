import CFFmpeg
public import ClipModel
import Foundation

/// A muxer that writes an MP4 file or an HTTP Live Streaming folder. Packets may be written on multiple threads, but
/// all other calls must be on one thread.
public final class OutputContainer: Muxer {
  private let options: [(String, String)]
  /// Serializes writes, because format contexts aren't thread-safe (avformat.h).
  private let writing = NSLock()

  /// Starts an HTTP Live Streaming stream of fragmented MP4 files in an existing folder. The files `master.m3u8`,
  /// `index.m3u8`, `init.mp4` and `segment0.m4s`… refer to each other by name.
  /// - Parameters:
  ///   - folder: the absolute path of the folder.
  ///   - segmentSeconds: the minimum length of a segment in seconds. Each segment ends before the first key frame after
  ///     this time.
  public init(
    hlsIn folder: String, segmentSeconds: Int, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    options = [
      ("hls_time", "\(segmentSeconds)"), ("hls_playlist_type", "vod"), ("hls_list_size", "0"),
      ("hls_segment_type", "fmp4"), ("hls_fmp4_init_filename", "init.mp4"), ("master_pl_name", "master.m3u8"),
      ("hls_flags", "independent_segments"),
      // This value is a pattern, so escape percent signs in the folder's path.
      ("hls_segment_filename", folder.replacingOccurrences(of: "%", with: "%%") + "/segment%d.m4s"),
    ]
    try super.init("hls", to: .files, path: folder + "/index.m3u8", interruption: interruption)
  }

  /// Starts an MP4 file at `path`, with the `moov` box at the start of the file (faststart). An existing file is
  /// overwritten.
  public init(mp4At path: String, interruption: Interruption = Interruption()) throws(FFmpegError) {
    options = [("movflags", "+faststart")]
    try super.init("mp4", to: .file, path: path, interruption: interruption)
  }

  /// Starts the initialization segment of an MP4 file in memory: the description of its tracks, without packets.
  public init(initializationSegment interruption: Interruption) throws(FFmpegError) {
    options = [("movflags", "empty_moov+frag_custom")]
    try super.init("mp4", to: .memory, path: "initialization.mp4", interruption: interruption)
  }

  /// Returns the initialization segment. Call this method after adding all tracks, instead of `writeHeader()`.
  public func writeInitializationSegment() throws(FFmpegError) -> [UInt8] {
    try writeHeader()
    return try closeAfterHeader()
  }

  /// Adds a track for packets that are copied from a source. The orientation is the only side data that is copied.
  /// - Parameter orientation: the orientation that replaces the source's.
  public func addTrack(
    copying source: SourceStream, orientation: Orientation? = nil
  ) throws(FFmpegError) -> Int {
    let stream = try makeStream(copying: source)
    // Let the muxer choose the tag, because the source's tag may not exist in MP4. HEVC is an exception, because the
    // muxer would choose `hev1`, which Apple's players reject.
    let isHEVC = source.parameters.codec_id == AV_CODEC_ID_HEVC
    stream.pointee.codecpar.pointee.codec_tag = isHEVC ? hevcSampleEntry : 0
    try setOrientation(orientation ?? source.orientation, of: stream)
    return Int(stream.pointee.index)
  }

  /// Sets the capture date in ISO 8601 format, which is the only metadata that is preserved.
  public func setCaptureDate(_ date: String) {
    av_dict_set(&pointer.pointee.metadata, "creation_time", date, 0)
  }

  public func writeHeader() throws(FFmpegError) { try writeHeader(options) }

  /// Writes a packet whose timestamps are in `timeBase`, and takes ownership of the packet's data.
  public func write(_ packet: Packet, track index: Int, timeBase: Rational) throws(FFmpegError) {
    try assign(packet, toTrack: index, timeBase: timeBase)
    writing.lock()
    defer { writing.unlock() }
    try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
  }
}
