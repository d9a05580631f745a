import ArgumentParser
import ClipModel
import ShareEngine

struct Plan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show how a clip would be processed, and why",
    discussion: """
      EXAMPLES:
        bsc plan clip.mp4
        bsc plan match.mov --metadata match.json --rally 3
      """)

  @Argument(help: "Clips.", completion: .file())
  var files: [String]

  @OptionGroup(title: "Rally") var rally: RallySelection
  @OptionGroup(title: "Rally") var metadata: MetadataOptions
  @OptionGroup(title: "Part of the clip") var cut: CutOptions
  @OptionGroup(title: "Processing") var processing: ProcessingOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions

  @Flag(help: "Also decode a sample of each clip.")
  var decode = false

  @OptionGroup(title: "Output") var output: OutputOptions

  /// Converts the command-line options to a request.
  func makeRequest(_ environment: EngineEnvironment) -> ShareRequest {
    let drawn = pictures.makeSettings(environment, defaultKinds: [.poster])
    return ShareRequest(
      metadata: metadata.makeRequest(rally), settings: processing.makeSettings(environment, pictures: drawn),
      cut: cut.range)
  }

  func run() async throws {
    let environment = try EngineEnvironment(flags: processing.flags)
    let request = makeRequest(environment)
    let upload = try await environment.uploadConditions()
    try await InputRunner.run(files, named: \.self, asJSON: output.json) { file in
      try await PlanPreview.make(
        file, request: request, rules: environment.configuration.rules, upload: upload, decodes: decode
      ).showPlan(file, asJSON: output.json)
    }
  }
}
