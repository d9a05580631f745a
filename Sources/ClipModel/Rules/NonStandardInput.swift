/// Mux's `non_standard_input_reasons`: why it converts a clip before anybody can watch it, in people's words.
package enum NonStandardInput {
  /// One line for all of them; `nil` when there is none.
  /// - Parameters:
  ///   - reasons: Mux's keys and values: `video_bitrate` and `high`.
  ///   - settings: with which the clip was made; they tell what helps the next time.
  package static func warning(_ reasons: [String: String], settings: ProcessingSettings) -> String? {
    guard !reasons.isEmpty else { return nil }
    let list = reasons.sorted { $0.key < $1.key }.map { "\(meaning($0.key, $0.value)) (\($0.key): \($0.value))" }
    return "Mux converts the clip once more, so it can be watched later than usual; nothing is lost. Why: "
      + list.joined(separator: "; ") + ". The next time: \(advice(settings))"
  }

  private static func meaning(_ key: String, _ value: String) -> String {
    switch key {
    case "video_codec": "the picture is neither H.264 nor HEVC"
    case "audio_codec": "the sound is not AAC"
    case "video_gop_size": "key frames are too far apart"
    case "video_frame_rate": value.hasPrefix("-1") ? "the frame rate is unknown" : "the frame rate is not 5 to 120"
    case "video_resolution": "the picture is too big"
    case "video_bitrate": "the bitrate is too high"
    case "pixel_aspect_ratio": "the pixels are not square"
    case "video_edit_list": "the edit list of the picture is not simple"
    case "audio_edit_list": "the edit list of the sound is not simple"
    case "unsupported_pixel_format": "the pixel format is none that players take"
    case "unexpected_media_file_parameters": "the file has parameters that Mux did not expect"
    default: "something about the file is unusual"
    }
  }

  private static func advice(_ settings: ProcessingSettings) -> String {
    var flags: [String] = []
    if settings.codec != .h264 { flags.append("--codec \(settings.codec.rawValue)") }
    if settings.keepsHDR { flags.append("--keep-hdr") }
    if settings.usesHardware { flags.append("--hardware") }
    return flags.isEmpty
      ? "nothing that you chose is to blame; report it with the output of \"bsc validate\""
      : "share without \(flags.joined(separator: " and "))"
  }
}
