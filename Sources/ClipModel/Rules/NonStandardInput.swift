/// Explains Mux's `non_standard_input_reasons`: why Mux transcodes a clip before it can be watched.
package enum NonStandardInput {
  /// A warning for all reasons; `nil` if there are none.
  /// - Parameters:
  ///   - reasons: Mux's keys and values: `video_bitrate` and `high`.
  ///   - settings: the settings that the clip was processed with. They determine the advice.
  package static func warning(_ reasons: [String: String], settings: ProcessingSettings) -> String? {
    guard !reasons.isEmpty else { return nil }
    let list = reasons.sorted { $0.key < $1.key }.map { "\(meaning($0.key, $0.value)) (\($0.key): \($0.value))" }
    return "Mux has to transcode the clip, so it becomes available later than usual. Reasons: "
      + list.joined(separator: "; ") + ". \(advice(settings))"
  }

  private static func meaning(_ key: String, _ value: String) -> String {
    if key == "video_frame_rate", value.hasPrefix("-1") { return "the frame rate is unknown" }
    return meanings[key] ?? "the file is not standard input"
  }

  private static let meanings = [
    "video_codec": "the video is neither H.264 nor HEVC", "audio_codec": "the audio is not AAC",
    "video_gop_size": "the key frames are too far apart",
    "video_frame_rate": "the frame rate is outside the range of 5 to 120",
    "video_resolution": "the resolution is too high", "video_bitrate": "the bit rate is too high",
    "pixel_aspect_ratio": "the pixels are not square", "video_edit_list": "the video's edit list is too complex",
    "audio_edit_list": "the audio's edit list is too complex",
    "unsupported_pixel_format": "players do not support the pixel format",
    "unexpected_media_file_parameters": "the file has unexpected parameters",
  ]

  private static func advice(_ settings: ProcessingSettings) -> String {
    var flags: [String] = []
    if settings.codec != .h264 { flags.append("--codec \(settings.codec.rawValue)") }
    if settings.keepsHDR { flags.append("--keep-hdr") }
    if settings.usesHardware { flags.append("--hardware") }
    return flags.isEmpty
      ? "None of your options caused this; report it with the output of \"bsc validate\"."
      : "To avoid this, share without \(flags.joined(separator: " and "))."
  }
}
