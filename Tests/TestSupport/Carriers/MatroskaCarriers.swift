import ClipModel
import Foundation

/// Matroska and WebM: tags, attachments, subtitles.
extension LocationCarrierFile {
  static var matroska: [LocationCarrierFile] {
    let isoKey = "com.apple.quicktime.location.ISO6709"
    return [
      LocationCarrierFile("mkv-location-tag", "mkv", at: [seattle], confirmedBy: .exiftoolText(seattle.iso6709)) {
        try BaseClips.clip("tag.mkv", mkv + ["-metadata", "location=\(seattle.iso6709)"])
      },
      LocationCarrierFile("mkv-apple-tag", "mkv", at: [sydney], confirmedBy: .exiftoolText(sydney.iso6709)) {
        try BaseClips.clip("apple.mkv", mkv + ["-metadata", "\(isoKey)=\(sydney.iso6709)"])
      },
      LocationCarrierFile("mkv-track-tag", "mkv", at: [rio], confirmedBy: .exiftoolText(rio.iso6709)) {
        try BaseClips.clip("track.mkv", mkv + ["-metadata:s:v", "LOCATION=\(rio.iso6709)"])
      },
      LocationCarrierFile("webm-location-tag", "webm", at: [munich], confirmedBy: .exiftoolText(munich.iso6709)) {
        try BaseClips.clip("tag.webm", webm + ["-metadata", "LOCATION=\(munich.iso6709)"])
      },
      LocationCarrierFile(
        "mkv-attachment", "mkv", at: [munich], confirmedBy: .exiftoolOnPart([0xFF, 0xD8, 0xFF, 0xE1])
      ) {
        let base = try BaseClips.path("base.mkv", mkv)
        let attachment = ["-attach", "INPUT", "-metadata:s:t", "mimetype=image/jpeg"]
        return try BaseClips.clip(
          "attachment.mkv", with: ("cover.jpg", PictureMetadata.jpeg(munich)), ["-i", base, "-c", "copy"] + attachment)
      },
      LocationCarrierFile(
        "mkv-subtitle", "mkv", at: [rio],
        confirmedBy: .ffprobe("GPS (-43.2105, -", arguments: ["-show_packets", "-show_data"])
      ) {
        let base = try BaseClips.path("base.mkv", mkv)
        let text = String(format: "GPS (%.4f, %.4f, 18)", rio.longitude, rio.latitude)
        return try BaseClips.clip(
          "subtitle.mkv", with: ("dji.srt", Array("1\n00:00:00,000 --> 00:00:00,400\n\(text)\n\n".utf8)),
          ["-i", base, "-i", "INPUT", "-map", "0", "-map", "1", "-c", "copy", "-c:s", "srt"])
      },
      LocationCarrierFile(
        "webm-subtitle", "webm", at: [munich],
        confirmedBy: .ffprobe("GPS (11.5462, 48", arguments: ["-show_packets", "-show_data"])
      ) {
        let base = try BaseClips.path("base.webm", webm)
        let text = String(format: "GPS (%.4f, %.4f, 18)", munich.longitude, munich.latitude)
        return try BaseClips.clip(
          "subtitle.webm", with: ("dji.srt", Array("1\n00:00:00,000 --> 00:00:00,400\n\(text)\n\n".utf8)),
          ["-i", base, "-i", "INPUT", "-map", "0", "-map", "1", "-c", "copy", "-c:s", "webvtt"])
      },
    ]
  }

  private static let webm = ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
  private static let mkv = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
}
