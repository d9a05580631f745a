/// Explains Mux's `non_standard_input_reasons`: the reasons why Mux has to transcode a clip before playback.
package enum NonStandardInput {
  /// Returns a warning that lists all reasons, or `nil` if there are none.
  /// - Parameters:
  ///   - reasons: Mux's keys and values, such as `video_bitrate` and `high`.
  ///   - settings: the settings used to process the clip, which determine the advice.
  package static func warningText(_ reasons: [String: String], settings: ProcessingSettings) -> String? {
    guard !reasons.isEmpty else { return nil }
    let list = reasons.sorted { $0.key < $1.key }.map { "\(describeReason($0.key, $0.value)) (\($0.key): \($0.value))" }
    return "Mux has to transcode the clip, so it becomes available later than usual. Reasons: "
      + list.joined(separator: "; ") + ". \(advice(settings))"
  }

  private static func describeReason(_ key: String, _ value: String) -> String {
    if key == "video_frame_rate", value.hasPrefix("-1") { return "the frame rate is unknown" }
    return meanings[key] ?? "the file does not meet Mux's requirements"
  }

  private static let meanings = [
    "video_codec": "the video is neither H.264 nor HEVC", "audio_codec": "the audio is not AAC",
    "video_gop_size": "the key frames are too far apart",
    "video_frame_rate": "the frame rate is not between 5 and 120 frames per second",
    "video_resolution": "the resolution is too high", "video_bitrate": "the bit rate is too high",
    "pixel_aspect_ratio": "the pixels are not square", "video_edit_list": "the video's edit list is too complex",
    "audio_edit_list": "the audio's edit list is too complex",
    "unsupported_pixel_format": "the pixel format is not supported",
    "unexpected_media_file_parameters": "the file has parameters that Mux does not expect",
  ]

  private static func advice(_ settings: ProcessingSettings) -> String {
    var options: [String] = []
    if settings.codec != .h264 { options.append("codec \(settings.codec.rawValue)") }
    if settings.keepsHDR { options.append("keep HDR") }
    if settings.usesHardware { options.append("hardware encoding") }
    return options.isEmpty
      ? "None of your options caused this. Report this problem and include the clip's validation report."
      : "To avoid transcoding, share the clip without these settings: \(options.joined(separator: ", "))."
  }
}
