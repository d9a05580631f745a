import ArgumentParser
import ClipModel

/// Options for a clip's highlight that don't affect the video.
struct HighlightOptions: ParsableArguments {
  @Option(help: "Caption for the highlight. Hashtags become tags.")
  var caption: String?

  @Option(help: "Who can see the highlight: public, followers_only or private. (default for new highlights: public)")
  var privacy: PrivacyLevel?

  @Flag(help: "Hide the number of likes.")
  var hideLikes = false

  var isGiven: Bool { caption != nil || privacy != nil || hideLikes }
}

/// Options for sharing several clips, as separate highlights or as one.
struct PostOptions: ParsableArguments {
  @Option(
    help: "CSV file with one \"path,caption\" line per clip; a header line is optional.",
    completion: .file(extensions: ["csv"]))
  var captions: String?

  @Flag(help: "Share 2 to 10 clips as one highlight, in the order given; if one is rejected, none is shared.")
  var together = false

  func validate(with highlight: HighlightOptions) throws {
    if captions != nil, highlight.caption != nil || together {
      throw ValidationError("--captions cannot be combined with --caption or --together.")
    }
  }
}
