import CFFmpeg
import CZimg
package import ClipModel

/// The C libraries that are loaded in this process.
public enum LoadedLibraries {
  /// The capabilities of the libraries, in the order in which a clip needs them.
  package static var capabilities: [MediaCapability] {
    let version = avformat_version()
    let number = "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    var zimg: (UInt32, UInt32, UInt32) = (0, 0, 0)
    zimg_get_version_info(&zimg.0, &zimg.1, &zimg.2)
    return [
      MediaCapability(
        name: "FFmpeg", isAvailable: version >> 16 >= 59,
        detail: "\(String(cString: av_version_info())), libavformat \(number)",
        remedy: "install FFmpeg 5.1 or newer, for example with Scripts/bootstrap")
    ] + codecs.map { codec($0.name, neededFor: $0.neededFor) } + [
      MediaCapability(
        name: "zimg", isAvailable: true, detail: "\(zimg.0).\(zimg.1).\(zimg.2)", remedy: "Scripts/bootstrap")
    ]
  }

  /// The required and optional codecs, by their libav names; `neededFor` is the feature that requires an optional
  /// codec.
  private static let codecs: [(name: String, neededFor: String?)] = [
    ("decoder h264", nil), ("decoder hevc", nil), ("decoder aac", nil), ("encoder libx264", nil),
    ("encoder aac", nil), ("encoder mjpeg", nil), ("encoder libx265", "--keep-hdr and --codec hevc"),
    ("encoder libwebp", "pictures as WebP"), ("encoder libwebp_anim", "animations as WebP"),
    ("encoder png", "pictures as PNG"), ("encoder gif", "animations as GIF"), ("decoder prores", "clips in ProRes"),
    ("decoder vp9", "clips in VP9"), ("decoder mpeg2video", "clips from camcorders"),
    ("decoder mpeg4", "clips from old cameras"),
  ]

  private static func codec(_ name: String, neededFor: String?) -> MediaCapability {
    let codecName = String(name.dropFirst("decoder ".count))
    let found =
      name.hasPrefix("decoder") ? avcodec_find_decoder_by_name(codecName) : avcodec_find_encoder_by_name(codecName)
    return MediaCapability(
      name: name, isAvailable: found != nil, neededFor: neededFor,
      detail: found.map { String(cString: $0.pointee.long_name) } ?? "missing from this FFmpeg build",
      remedy: "install an FFmpeg build with \(name); on Debian, run Scripts/bootstrap")
  }
}
