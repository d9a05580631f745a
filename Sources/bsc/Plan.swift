import ArgumentParser
import ClipModel
import ShareEngine

struct Plan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what would be done with a clip, and why.",
    discussion: """
      EXAMPLES:
        bsc plan clip.mp4
        bsc plan match.mov --metadata match.json --rally 3
      """)

  @Argument(help: "Clips.", completion: .file())
  var files: [String]

  @OptionGroup(title: "Rally") var rally: RallyOptions
  @OptionGroup(title: "Processing") var settings: SettingsOptions

  @Flag(help: "Leave the sound out.")
  var mute = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let surroundings = try Surroundings(flags: settings.flags)
    let processing = surroundings.processingSettings
    let request = ShareRequest(metadata: rally.request, settings: mute ? processing.muted : processing)
    try await DryRun.run(files, request: request, asJSON: output.json)
  }
}
