/// Every rule that a clip can break: the one list behind `validate --list-rules`, `--explain`, settings and reports.
public enum RuleCatalog {
  /// In the order in which they are asked and shown.
  public static let rules: [Rule] = clip + container + privacy + mux + rally

  /// The rule with this id; `nil` when there is none.
  public static func rule(_ id: String) -> Rule? { byID[id] }

  /// Checks in the order of the rules.
  public static func ordered(_ checks: [RuleCheck]) -> [RuleCheck] {
    checks.sorted { (places[$0.rule] ?? .max) < (places[$1.rule] ?? .max) }
  }

  private static let places = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
  private static let byID = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }

  // MARK: Clip

  private static let product = "the product's rule for highlights (social features, section 8)"
  private static let pipeline = "what bsc can decode and show rightly"

  static let clip: [Rule] = [
    Rule(
      "clip.video", .error, "there is a video track that can be shown",
      because: "A highlight is something to watch. Cover pictures do not count, and what is encrypted is none.",
      source: product, mend: "choose the file that the camera wrote"),
    Rule(
      "clip.one-video", .warning, "there is one video track, not several",
      because: "Players show the default one, or the first; nobody sees the others.", source: product,
      mend: "bsc compress CLIP"),
    Rule(
      "clip.duration", .error, "a clip lasts 3 to 60 s",
      because: "Shorter ones show no rally, longer ones are no highlight. What the edit list hides does not count.",
      source: product, mend: "bsc compress MATCH --from 1:02 --to 1:15"),
    Rule(
      "clip.truncated", .error,
      "the file is complete: every sample of its index, its stated length, no packet cut short",
      because: "A copy that was cut off plays until it suddenly does not.",
      source: "the sample tables (ISO/IEC 14496-12, 8.7) or the container's headers against the size of the file",
      mend: "copy it again from the camera, or bsc compress --salvage"),
    Rule(
      "clip.parameter-sets", .error, "parameter sets are there and can be read",
      because: "Without them no decoder knows the size of a picture, nor how to read one.",
      source: "ITU-T H.264 and H.265, 7.3.2; ISO/IEC 14496-15", mend: "copy it again from the camera"),
    Rule(
      "clip.color", .error, "the picture has colours that can be shown everywhere",
      because: "Dolby Vision profile 5 has no base layer: other decoders show it green and violet.", source: pipeline,
      mend: "export the clip as HDR10, HLG or SDR"),
    Rule(
      "clip.interlaced", .warning, "the picture is progressive",
      because: "Fields of two moments comb on every screen; bsc deinterlaces them when it transcodes.",
      source: pipeline, mend: "bsc compress CLIP"),
    Rule(
      "clip.frame-rate", .warning, "the clip has 5 to 120 frames per second",
      because: "Outside of that, players stutter or refuse.", source: "Mux, standard input",
      mend: "bsc compress CLIP"),
    Rule(
      "clip.sync", .warning, "sound and picture begin and end together",
      because: "More than half a second apart, something was lost or cut.", source: "measured on real clips",
      mend: "bsc compress CLIP --mute"),
    Rule(
      "clip.decodes", .error, "pictures and sound can be decoded (asked with --decode or --deep)",
      because:
        "Headers tell nothing of damage inside. --decode looks at the first frame, the last one and some between, "
        + "--deep at everything.", source: "libav's decoders",
      mend: "copy it again from the camera, or bsc compress --salvage"),
    Rule(
      "clip.nal-units", .error, "the units of each picture add up to its size (asked with --decode or --deep)",
      because: "A length that is wrong in one place makes everything behind it unreadable.",
      source: "ISO/IEC 14496-15, 5.3.4.2 and 8.3.4.2", mend: "copy it again from the camera, or bsc compress --salvage"),
    Rule(
      "clip.black", .warning, "there is something to see (asked with --decode or --deep)",
      because: "A lens cap, or a screen recording of nothing.",
      source: "98 of 100 pixels below 20 of 255 in every frame "
        + "that was looked at"),
    Rule(
      "clip.frozen", .warning, "something moves (asked with --decode or --deep)",
      because: "A clip that stands still shows no rally: most often a recording that lost its camera.",
      source: "frames spread over the clip differ by less than 0.4 levels of 255"),
    Rule(
      "clip.loudness", .info,
      "the sound is neither silent nor far too loud: -40 to -8 LUFS (asked with --decode or --deep)",
      because: "Viewers jump from clip to clip. Platforms play at about -14 LUFS; a gym is -30 to -15.",
      source: "ITU-R BS.1770-4, integrated, with both gates; EBU R 128"),
    Rule(
      "clip.clipping", .info, "the sound is not clipped (asked with --decode or --deep)",
      because: "What was too loud for the microphone crackles, and nothing mends it.",
      source: "three samples in a row at full scale"),
  ]

  // MARK: Container

  static let container: [Rule] = [
    Rule(
      "container.structure", .warning, "the boxes of the file are whole and in their places",
      because: "Damaged boxes are skipped by some players and refused by others.", source: "ISO/IEC 14496-12",
      mend: "bsc compress CLIP"),
    Rule(
      "container.faststart", .info, "the index is in front of the pictures",
      because: "Otherwise a player has to fetch the end of the file before it can begin.",
      source: "ISO/IEC 14496-12; common practice", mend: "bsc compress CLIP"),
    Rule(
      "container.brand", .info, "the file says what kind it is, and players know it",
      because: "Some players choose by the brand, and refuse what they do not know.",
      source: "ISO/IEC 14496-12, 4.3 (ftyp); the MP4 registration authority", mend: "bsc compress CLIP"),
    Rule(
      "container.timestamps", .warning, "every picture and packet has a time of its own, and times go on",
      because: "Samples without a length, or two that are shown at once, make players stutter or drop one.",
      source: "ISO/IEC 14496-12, 8.6.1", mend: "bsc compress CLIP"),
    Rule(
      "container.tables", .warning, "sample tables fit each other, their boxes and the file",
      because: "Tables that claim more than there is are damage, or somebody's try to break a reader.",
      source: "ISO/IEC 14496-12, 8.5 to 8.7", mend: "bsc compress CLIP"),
    Rule(
      "container.trailing-data", .warning, "nothing lies behind the last box",
      because: "Some cameras write motion, positions and more there (a remark when it is known which); anything else "
        + "is no part of the film.", source: "ISO/IEC 14496-12; Docs/privacy.md", mend: "bsc strip CLIP"),
  ]

  // MARK: Privacy

  static let privacy: [Rule] = [
    Rule(
      "privacy.location", .warning, "nothing in the file tells where it was filmed",
      because: "Cameras write coordinates, motion and maker's data into boxes and tracks. share and compress remove "
        + "them; with --rules published anything left is an error.", source: "Docs/privacy.md",
      mend: "bsc strip CLIP"),
    Rule(
      "privacy.device", .warning, "nothing in the file tells which camera it was, or whose",
      because: "Serial numbers, makes, models and names link a clip to others by the same person. share and compress "
        + "do not carry them over; with --rules published anything left is an error.", source: "Docs/privacy.md",
      mend: "bsc strip --identifiers CLIP"),
  ]

  // MARK: Mux

  static let mux: [Rule] = MuxRequirement.allCases.map { requirement in
    Rule(
      requirement.rawValue, .warning, requirement.summary,
      because: "Mux streams what fits as it is. Anything else is transcoded first: ready later, and a little worse. It "
        + "would be reported as \(requirement.reasonKey).",
      source: "Mux, \"Minimize processing time\", the table of standard input", mend: "bsc compress CLIP")
  }

  // MARK: Rally metadata

  static let rally: [Rule] =
    [
      Rule(
        "rally.metadata", .error, "there is rally metadata, so that something says that this is a rally",
        because: "Highlights are rallies that the app found.", source: product,
        mend: "export the metadata from the app, or say --metadata FILE")
    ]
    + RallyCheck.allCases.map { check in
      Rule(
        check.rawValue, check.severity, check.summary,
        because: "The app and the feed read this file; what they cannot read, they drop or crash on.",
        source: "the app's metadata format, check \(check.row)", mend: "export the metadata from the app again")
    }
}
