import ArgumentParser
import ClipModel
import ShareEngine

/// What a highlight is, beside its clip.
struct PostOptions: ParsableArguments {
  @Option(help: "What people read under the clip. Hashtags become tags.")
  var caption: String?

  @Option(
    help: "A CSV file with a line \"path,caption\" for each clip; a first line of these words is no clip.",
    completion: .file(extensions: ["csv"]))
  var captions: String?

  @Flag(help: "Make one highlight of all clips, 2 to 10, in this order: all of them or none.")
  var together = false

  @Option(help: "Who may see it: public, followers_only or private. (default: public)")
  var privacy: PrivacyLevel?

  @Flag(help: "Do not show how many like it.")
  var hideLikes = false

  func validate() throws {
    if captions != nil, caption != nil || together {
      throw ValidationError("--captions has a caption for each clip; it goes with neither --caption nor --together.")
    }
  }
}
