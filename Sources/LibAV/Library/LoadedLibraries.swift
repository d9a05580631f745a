import CFFmpeg
import CZimg
package import ClipModel

/// The C libraries as they are loaded in this process.
public enum LoadedLibraries {
  /// In the order a clip meets them.
  package static var capabilities: [MediaCapability] {
    let version = avformat_version()
    var zimgVersion: (UInt32, UInt32, UInt32) = (0, 0, 0)
    zimg_get_version_info(&zimgVersion.0, &zimgVersion.1, &zimgVersion.2)
    return [
      MediaCapability(
        name: "FFmpeg", isAvailable: version >> 16 >= 59,
        detail:
          "\(String(cString: av_version_info())), libavformat \(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)",
        remedy: "install FFmpeg 5.1 or newer: Scripts/bootstrap"),
      codec("decoder h264", avcodec_find_decoder(AV_CODEC_ID_H264)),
      codec("decoder hevc", avcodec_find_decoder(AV_CODEC_ID_HEVC)),
      codec("decoder aac", avcodec_find_decoder(AV_CODEC_ID_AAC)),
      codec("encoder libx264", avcodec_find_encoder_by_name("libx264")),
      codec("encoder aac", avcodec_find_encoder(AV_CODEC_ID_AAC)),
      codec("encoder mjpeg", avcodec_find_encoder(AV_CODEC_ID_MJPEG)),
      codec("encoder libx265", avcodec_find_encoder_by_name("libx265"), neededFor: "--keep-hdr and --codec hevc"),
      codec("encoder libwebp", avcodec_find_encoder_by_name("libwebp"), neededFor: "pictures as WebP"),
      codec("encoder libwebp_anim", avcodec_find_encoder_by_name("libwebp_anim"), neededFor: "moving pictures as WebP"),
      codec("encoder png", avcodec_find_encoder(AV_CODEC_ID_PNG), neededFor: "pictures as PNG"),
      codec("encoder gif", avcodec_find_encoder(AV_CODEC_ID_GIF), neededFor: "moving pictures as GIF"),
      codec("decoder prores", avcodec_find_decoder(AV_CODEC_ID_PRORES), neededFor: "clips in ProRes"),
      codec("decoder vp9", avcodec_find_decoder(AV_CODEC_ID_VP9), neededFor: "clips in VP9"),
      codec("decoder mpeg2video", avcodec_find_decoder(AV_CODEC_ID_MPEG2VIDEO), neededFor: "clips of camcorders"),
      codec("decoder mpeg4", avcodec_find_decoder(AV_CODEC_ID_MPEG4), neededFor: "clips of old cameras"),
      MediaCapability(
        name: "zimg", isAvailable: true, detail: "\(zimgVersion.0).\(zimgVersion.1).\(zimgVersion.2)",
        remedy: "Scripts/bootstrap"),
    ]
  }

  private static func codec(
    _ name: String, _ found: UnsafePointer<AVCodec>?, neededFor: String? = nil
  ) -> MediaCapability {
    MediaCapability(
      name: name, isAvailable: found != nil, neededFor: neededFor,
      detail: found.map { String(cString: $0.pointee.long_name) } ?? "missing in this FFmpeg",
      remedy: "install an FFmpeg with \(name): on Debian, Scripts/bootstrap")
  }
}
