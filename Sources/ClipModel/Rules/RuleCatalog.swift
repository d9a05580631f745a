/// All rules: the source of `validate --list-rules`, `--explain`, the settings and the reports.
public enum RuleCatalog {
  /// The rules in the order in which they are checked and listed.
  public static let rules: [Rule] = clip + container + privacy + mux + rally

  /// The rule with this ID; `nil` if there is none.
  public static func rule(_ id: String) -> Rule? { positions[id].map { rules[$0] } }

  /// Sorts checks in the order of the rules.
  public static func ordered(_ checks: [RuleCheck]) -> [RuleCheck] {
    checks.sorted { positions[$0.rule] ?? .max < positions[$1.rule] ?? .max }
  }

  private static let positions = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })

  private static let product = "the product's rule for highlights (social features, section 8)"
  private static let pipeline = "the formats that bsc can decode and display correctly"
  private static let compress = "bsc compress CLIP"
  private static let copyAgain = "copy it from the camera again"
  private static let copyOrSalvage = "copy it from the camera again, or bsc compress --salvage"

  private static let clip: [Rule] = [
    Rule(
      "clip.video", .error, "the file has a video track that can be played",
      because: "A highlight is a video. Cover images and encrypted tracks do not count.", source: product,
      fix: "choose the original file from the camera"),
    Rule(
      "clip.one-video", .warning, "the file has only one video track",
      because: "Players show the default track or the first one, and nothing else.", source: product, fix: compress),
    Rule(
      "clip.duration", .error, "a clip lasts 3 to 60 s",
      because:
        "Shorter clips do not show a rally, and longer ones are not highlights. Parts hidden by the edit list do "
        + "not count.", source: product, fix: "bsc compress MATCH --from 1:02 --to 1:15"),
    Rule(
      "clip.truncated", .error, "the file is complete: all samples, the stated length, all packets",
      because: "A truncated copy plays until it suddenly stops.",
      source: "the sample tables (ISO/IEC 14496-12, 8.7) or the container's headers, compared with the file size",
      fix: copyOrSalvage),
    Rule(
      "clip.parameter-sets", .error, "the parameter sets are present and readable",
      because: "Without them, decoders know neither the frame size nor the coding tools.",
      source: "ITU-T H.264 and H.265, 7.3.2; ISO/IEC 14496-15", fix: copyAgain),
    Rule(
      "clip.color", .error, "the colors can be displayed everywhere",
      because: "Dolby Vision profile 5 has no base layer: other decoders show it in green and purple.",
      source: pipeline, fix: "export the clip as HDR10, HLG or SDR"),
    Rule(
      "clip.interlaced", .warning, "the video is progressive",
      because: "Interlaced video shows combing artifacts. bsc deinterlaces it when it transcodes.", source: pipeline,
      fix: compress),
    Rule(
      "clip.frame-rate", .warning, "the clip has 5 to 120 frames per second",
      because: "Outside of this range, playback stutters or fails.", source: "Mux, standard input", fix: compress),
    Rule(
      "clip.sync", .warning, "audio and video start and end together",
      because: "A difference of more than half a second means that something was lost or cut.",
      source: "measurements on real clips", fix: "bsc compress CLIP --mute"),
    Rule(
      "clip.decodes", .error, "video and audio can be decoded (checked with --decode or --deep)",
      because:
        "Headers do not reveal damaged media. --decode decodes the first frame, the last frame and some between; "
        + "--deep decodes everything.", source: "libav's decoders", fix: copyOrSalvage),
    Rule(
      "clip.nal-units", .error, "the units of each frame add up to its size (checked with --decode or --deep)",
      because: "After a wrong length, the rest of the frame is unreadable.",
      source: "ISO/IEC 14496-15, 5.3.4.2 and 8.3.4.2", fix: copyOrSalvage),
    Rule(
      "clip.black", .warning, "the video is not black (checked with --decode or --deep)",
      because: "A black video is usually a covered lens or an empty screen recording.",
      source: "at least 98 % of the pixels are below 20 of 255 in every checked frame"),
    Rule(
      "clip.frozen", .warning, "the video is not frozen (checked with --decode or --deep)",
      because: "A still image does not show a rally. Usually, the camera signal was lost during the recording.",
      source: "frames across the clip differ by less than 0.4 levels of 255"),
    Rule(
      "clip.loudness", .info, "the loudness is between -40 and -8 LUFS (checked with --decode or --deep)",
      because: "Viewers watch one clip after another. Platforms play at about -14 LUFS; gyms have -30 to -15 LUFS.",
      source: "ITU-R BS.1770-4, integrated, with both gates; EBU R 128"),
    Rule(
      "clip.clipping", .info, "the audio is not clipped (checked with --decode or --deep)",
      because: "Sound that is too loud for the microphone is distorted, which cannot be fixed.",
      source: "at least three consecutive samples are at full scale"),
  ]

  private static let container: [Rule] = [
    Rule(
      "container.structure", .warning, "the structure of the file is intact",
      because: "Some players skip damaged boxes, and others reject the file.", source: "ISO/IEC 14496-12",
      fix: compress),
    Rule(
      "container.faststart", .info, "the index is at the start of the file",
      because: "Otherwise, players have to load the end of the file before playback can start.",
      source: "ISO/IEC 14496-12; common practice", fix: compress),
    Rule(
      "container.brand", .info, "the file has a type that players recognize",
      because: "Some players select files by their brand and reject unknown ones.",
      source: "ISO/IEC 14496-12, 4.3 (ftyp); the MP4 registration authority", fix: compress),
    Rule(
      "container.timestamps", .warning, "every frame and audio packet has its own timestamp",
      because: "Frames without a duration, or with the same timestamp, make players stutter or drop frames.",
      source: "ISO/IEC 14496-12, 8.6.1", fix: compress),
    Rule(
      "container.tables", .warning, "the sample tables are consistent with each other and with the file",
      because: "Inconsistent tables indicate damage, or an attack on the reader.",
      source: "ISO/IEC 14496-12, 8.5 to 8.7",
      fix: compress),
    Rule(
      "container.trailing-data", .warning, "nothing follows the last box",
      because:
        "Some cameras append motion data, positions and more. Known formats are reported as info. Other data does "
        + "not belong to the video.", source: "ISO/IEC 14496-12; Docs/privacy.md", fix: "bsc strip CLIP"),
  ]

  private static let privacy: [Rule] = [
    Rule(
      "privacy.location", .warning, "the file contains no location data",
      because: "Cameras store coordinates, motion data and proprietary data in boxes and tracks. share and compress "
        + "remove them. With --rules published, any remaining data is an error.", source: "Docs/privacy.md",
      fix: "bsc strip CLIP"),
    Rule(
      "privacy.device", .warning, "the file does not identify the camera or its owner",
      because: "Serial numbers, makes, models and names link a clip to others by the same person. share and compress "
        + "remove them. With --rules published, any remaining data is an error.", source: "Docs/privacy.md",
      fix: "bsc strip --identifiers CLIP"),
  ]

  private static let mux: [Rule] = MuxRequirement.allCases.map { requirement in
    Rule(
      requirement.rawValue, .warning, requirement.summary,
      because: "Mux streams standard input as it is. It transcodes anything else first, which takes time and costs "
        + "quality, and reports it as \(requirement.reasonKey).",
      source: "Mux, \"Minimize processing time\", the table of standard input", fix: compress)
  }

  private static let rally: [Rule] =
    [
      Rule(
        "rally.metadata", .error, "the clip has rally metadata",
        because: "Highlights are rallies that the app detected.", source: product,
        fix: "export the metadata from the app, or use --metadata FILE")
    ]
    + RallyCheck.allCases.map { check in
      Rule(
        check.rawValue, check.severity, check.summary,
        because: "The app and the feed read this file. Values that they cannot read are dropped or cause a crash.",
        source: "the app's metadata format, check \(check.row)", fix: "export the metadata from the app again")
    }
}
