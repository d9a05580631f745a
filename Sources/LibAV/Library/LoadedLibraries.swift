import CFFmpeg
import CMediaShims
import CZimg
package import ClipModel

/// The media libraries that this process has loaded.
public enum LoadedLibraries {
  /// Loads FFmpeg if it isn't loaded yet, and redirects its log. Call this method before the functions of FFmpeg.
  /// - Throws: an error if a library is missing.
  static func loadFFmpeg() throws(FFmpegError) {
    if let reason = bsc_ffmpeg_load() { throw FFmpegError(missingLibrary: String(cString: reason)) }
    FFmpegLog.installCallback()
  }

  /// The features that the loaded libraries support, in the order in which they are needed to process a clip.
  package static var capabilities: [MediaCapability] {
    do throws(FFmpegError) {
      try loadFFmpeg()
    } catch {
      return [MediaCapability(.library, name: "FFmpeg", isAvailable: false, detail: error.logLine ?? "missing")]
    }
    let version = avformat_version()
    let number = "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    var zimg: (UInt32, UInt32, UInt32) = (0, 0, 0)
    zimg_get_version_info(&zimg.0, &zimg.1, &zimg.2)
    return [
      MediaCapability(
        .library, name: "FFmpeg", isAvailable: version >> 16 >= 59,
        detail: "\(String(cString: av_version_info())), libavformat \(number)")
    ] + codecs.map { makeCapability($0.name, neededFor: $0.neededFor) } + [
      MediaCapability(.library, name: "zimg", isAvailable: true, detail: "\(zimg.0).\(zimg.1).\(zimg.2)")
    ]
  }

  /// The libav names of the required and optional codecs. `neededFor` is the feature that requires an optional codec.
  private static let codecs: [(name: String, neededFor: String?)] = [
    ("decoder h264", nil), ("decoder hevc", nil), ("decoder aac", nil), ("encoder libx264", nil),
    ("encoder aac", nil), ("encoder mjpeg", nil), ("encoder libx265", "HEVC and HDR results"),
    ("encoder libwebp", "WebP pictures"), ("encoder libwebp_anim", "WebP animations"),
    ("encoder png", "PNG pictures"), ("encoder gif", "GIF animations"), ("decoder prores", "ProRes clips"),
    ("decoder vp9", "VP9 clips"), ("decoder mpeg2video", "clips from camcorders"),
    ("decoder mpeg4", "clips from older cameras"),
  ]

  private static func makeCapability(_ name: String, neededFor: String?) -> MediaCapability {
    let codecName = String(name.dropFirst("decoder ".count))
    let found =
      name.hasPrefix("decoder") ? avcodec_find_decoder_by_name(codecName) : avcodec_find_encoder_by_name(codecName)
    return MediaCapability(
      .codec, name: name, isAvailable: found != nil, neededFor: neededFor,
      detail: found.map { String(cString: $0.pointee.long_name) } ?? "missing from this FFmpeg build")
  }
}
