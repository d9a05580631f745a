/// The catalog of all rules, which `validate --list-rules`, `--explain`, settings and reports use.
public enum RuleCatalog {
  /// All rules, in the order in which they are checked and listed.
  public static let rules: [Rule] = clip + container + privacy + mux + rally

  /// Returns the rule with the given ID, or `nil` if there is none.
  public static func rule(_ id: String) -> Rule? { positions[id].map { rules[$0] } }

  /// Returns the checks, sorted in catalog order.
  public static func sortedChecks(_ checks: [RuleCheck]) -> [RuleCheck] {
    checks.sorted { positions[$0.rule] ?? .max < positions[$1.rule] ?? .max }
  }

  private static let positions = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })

  private static let product = "the product's rule for highlights (social features, section 8)"
  private static let pipeline = "the formats that bsc can decode and display correctly"
  private static let copyAgain = "copy the file from the camera again"

  private static let clip: [Rule] = [
    Rule(
      "clip.video", .error, "the file has a playable video track",
      because: "A highlight is a video. Cover images and encrypted tracks don't count as video.", source: product,
      fix: "choose the original file from the camera"),
    Rule(
      "clip.one-video", .warning, "the file has only one video track",
      because: "Players show only one track: the default track, or the first one.", source: product),
    Rule(
      "clip.duration", .error, "a clip lasts 3 to 60 s",
      because:
        "Shorter clips don't show a complete rally, and longer clips aren't highlights. "
        + "Parts that the edit list hides don't count.", source: product),
    Rule(
      "clip.truncated", .error, "the file is complete: no samples, packets or seconds are missing",
      because: "A truncated file plays normally, then suddenly stops.",
      source: "the sample tables (ISO/IEC 14496-12, 8.7) or container headers, compared with the file size"),
    Rule(
      "clip.parameter-sets", .error, "the parameter sets are present and valid",
      because: "Decoders need the parameter sets to determine the frame size and the coding tools.",
      source: "ITU-T H.264 and H.265, 7.3.2; ISO/IEC 14496-15", fix: copyAgain),
    Rule(
      "clip.color", .error, "all players can display the colors correctly",
      because: "Dolby Vision profile 5 has no compatible base layer, so other decoders show green and purple images.",
      source: pipeline, fix: "export the clip as HDR10, HLG or SDR"),
    Rule(
      "clip.interlaced", .warning, "the video is progressive",
      because: "Interlaced video shows combing artifacts. bsc deinterlaces it when it transcodes.", source: pipeline),
    Rule(
      "clip.frame-rate", .warning, "the frame rate is 5 to 120 frames per second",
      because: "At other frame rates, playback may stutter or fail.", source: "Mux, standard input"),
    Rule(
      "clip.sync", .warning, "audio and video start and end together",
      because: "If the difference exceeds half a second, part of the audio or video was probably lost or cut.",
      source: "measurements on real clips"),
    Rule(
      "clip.decodes", .error, "video and audio can be decoded",
      because:
        "Headers don't reveal damaged media data. "
        + "A short check decodes the first frame, the last frame and some frames in between; "
        + "a deep check decodes everything.",
      source: "libav's decoders"),
    Rule(
      "clip.nal-units", .error, "the NAL units of each frame add up to the frame size",
      because: "If a length field is wrong, the remainder of the frame is unreadable.",
      source: "ISO/IEC 14496-15, 5.3.4.2 and 8.3.4.2"),
    Rule(
      "clip.black", .warning, "the video is not black",
      because: "Black video usually comes from a covered lens or an empty screen recording.",
      source: "in every checked frame, at least 98 % of the pixels are below level 20 of 255"),
    Rule(
      "clip.frozen", .warning, "the video is not frozen",
      because: "A still image doesn't show a rally. Usually, the camera signal was lost during recording.",
      source: "frames throughout the clip differ by less than 0.4 of 255 levels"),
    Rule(
      "clip.loudness", .info, "the loudness is between -40 and -8 LUFS",
      because:
        "Viewers watch one clip after another, so loudness should be similar. "
        + "Platforms target about -14 LUFS; clips from gyms range from -30 to -15 LUFS.",
      source: "ITU-R BS.1770-4, integrated, with both gates; EBU R 128"),
    Rule(
      "clip.clipping", .info, "the audio is not clipped",
      because: "Sound that is too loud for the microphone is distorted, and the distortion cannot be removed.",
      source: "clipping means at least three consecutive samples at full scale"),
  ]

  private static let container: [Rule] = [
    Rule(
      "container.structure", .warning, "the file structure is intact",
      because: "Some players skip damaged boxes, and others reject the file.", source: "ISO/IEC 14496-12"),
    Rule(
      "container.faststart", .info, "the index is at the start of the file",
      because: "If the index is at the end, players have to load the end of the file before playback can start.",
      source: "ISO/IEC 14496-12; common practice"),
    Rule(
      "container.brand", .info, "players recognize the file type",
      because: "Some players check the brand of a file and reject unknown brands.",
      source: "ISO/IEC 14496-12, 4.3 (ftyp); the MP4 Registration Authority"),
    Rule(
      "container.timestamps", .warning, "every frame and audio packet has a unique timestamp",
      because: "If frames have no duration or the same timestamp, players stutter or drop frames.",
      source: "ISO/IEC 14496-12, 8.6.1"),
    Rule(
      "container.tables", .warning, "the sample tables are consistent with each other and with the file",
      because: "Inconsistent tables indicate damage or an attack on the parser.",
      source: "ISO/IEC 14496-12, 8.5 to 8.7"),
    Rule(
      "container.trailing-data", .warning, "there is no data after the last box",
      because:
        "Some cameras append motion data, GPS positions or other data. Data in a known format is reported as info. "
        + "Data in an unknown format isn't part of the video.", source: "ISO/IEC 14496-12; Docs/privacy.md"),
  ]

  private static let privacy: [Rule] = [
    Rule(
      "privacy.location", .warning, "the file contains no location data",
      because: "Cameras store coordinates, motion data and proprietary data in boxes and tracks. "
        + "bsc removes this data from the clips that it makes. "
        + "In a published clip, any remaining location data is an error.",
      source: "Docs/privacy.md"),
    Rule(
      "privacy.device", .warning, "the file does not identify the camera or its owner",
      because:
        "Serial numbers, camera models and names link a clip to other clips by the same person. "
        + "bsc removes this data from the clips that it makes. "
        + "In a published clip, any remaining device data is an error.",
      source: "Docs/privacy.md"),
  ]

  private static let mux: [Rule] = MuxRequirement.allCases.map { requirement in
    Rule(
      requirement.rawValue, .warning, requirement.summary,
      because:
        "Mux streams standard input without changes. Other files are transcoded first, which reduces quality. "
        + "Mux gives this reason: \(requirement.reasonKey).",
      source: "Mux, \"Minimize processing time\", the standard input table")
  }

  private static let rally: [Rule] =
    [
      Rule(
        "rally.metadata", .error, "the clip has rally metadata",
        because: "A highlight is a rally that the app detected.", source: product)
    ]
    + RallyCheck.allCases.map { check in
      Rule(
        check.rawValue, check.severity, check.summary,
        because: "The app and the feed read this metadata. Invalid values are ignored or cause a crash.",
        source: "the app's metadata format, check \(check.row)", fix: "export the metadata from the app again")
    }
}
