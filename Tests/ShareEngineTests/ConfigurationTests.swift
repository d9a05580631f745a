import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
    try FileManager.default.createDirectory(atPath: home.path("work/court/today"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: places.configurationFolder, withIntermediateDirectories: true)
  }

  private func user(_ text: String) throws { try home.write(text, to: ".config/bsc/config.toml") }
  private func project(_ text: String) throws { try home.write(text, to: "work/.bsc.toml") }

  private func load(flags: [FlagValue] = [], environment: [String: String] = [:]) throws -> Configuration {
    try Configuration(
      flags: flags, environment: environment, workingFolder: home.path("work/court/today"), places: places)
  }

  private func failure(environment: [String: String] = [:]) -> Explanation? {
    #expect(throws: ShareEngineError.self) { _ = try load(environment: environment) }?.explanation
  }

  /// Every combination of the four sources: bit 0 is the user's file, 1 the project's, 2 the environment, 3 the flag.
  @Test(arguments: 0..<16) func highestPrecedenceWins(sources bits: Int) throws {
    if bits & 1 != 0 { try user("quality = 31") }
    if bits & 2 != 0 { try project("quality = 32") }
    let configuration = try load(
      flags: bits & 8 != 0 ? [FlagValue(key: "quality", flag: "--quality", text: "34")] : [],
      environment: bits & 4 != 0 ? ["BSC_QUALITY": "33"] : [:])
    let expected: Setting<Double> =
      if bits & 8 != 0 {
        Setting(34, origin: .flag("--quality"))
      } else if bits & 4 != 0 {
        Setting(33, origin: .environment("BSC_QUALITY"))
      } else if bits & 2 != 0 {
        Setting(32, origin: .file(path: home.path("work/.bsc.toml"), key: "quality"))
      } else if bits & 1 != 0 {
        Setting(31, origin: .file(path: places.configurationFile, key: "quality"))
      } else {
        Setting(21)
      }
    #expect(configuration.quality == expected)
  }

  @Test func allErrorsAreReportedTogether() throws {
    try user("qualty = 3\nbackend = \"x\"\n[rules.\"clip.duration\"]\nmin = 9\nmax = 3")
    try project("quality = 99\nposter.at = 2")
    let problems = try #require(
      #expect(throws: InvalidSettingsError.self) { _ = try load(environment: ["BSC_QUALITY": "-1"]) })
    #expect(
      problems.explanations.map(\.id) == [
        "settings.unknown", "settings.rule-bounds", "settings.invalid-value", "settings.invalid-value",
        "settings.invalid-value",
      ])
    #expect(problems.explanation == problems.explanations.first)
  }

  @Test func ruleEntriesNameTheFileThatSetsThem() throws {
    try user("[rules.\"clip.duration\"]\nmax = 50\n[rules.\"clip.loudness\"]\nseverity = \"error\"")
    try project("[rules.\"clip.duration\"]\nmax = 90")
    let entries = try load().ruleEntries
    #expect(entries.map(\.key) == ["rules.clip.duration.max", "rules.clip.loudness.severity"])
    #expect(entries.map(\.value) == ["90", "error"])
    #expect(entries.map(\.origin) == [home.path("work/.bsc.toml"), places.configurationFile])
    #expect(entries.first?.summary == "default: 60" && entries.first?.environment == nil)
  }

  @Test func onlyTheNearestProjectFileIsUsed() throws {
    try project("quality = 32\nposter.at = 9")
    try home.write("quality = 35", to: "work/court/.bsc.toml")
    let configuration = try load()
    #expect(configuration.quality.value == 35)
    #expect(configuration.posterAtSeconds.origin == .byDefault)
  }

  @Test(arguments: [
    "backend = \"local\"", "supabase.url = \"https://evil.example\"", "mux.url = \"https://evil.example\"",
    "mux.stream_url = \"https://evil.example\"", "supabase.key = \"k\"", "local.port = 1",
    "[supabase]\nurl = \"https://evil.example\"", "[upload]\nchunk_size = \"1MiB\"", "[share]\nprivacy = \"public\"",
    "mux.token_id = \"x\"", "[mux]\ntoken_secret = \"x\"",
  ])
  func projectFileCannotSendClipsAnywhere(text: String) throws {
    try project(text)
    // Even when a source with a higher precedence sets the same key.
    let explanation = failure(environment: ["BSC_BACKEND": "local", "BSC_LOCAL_PORT": "8000"])
    #expect(explanation?.facts["path"] == home.path("work/.bsc.toml"))
    #expect(["settings.project-scope", "settings.secret"].contains(explanation?.id))
    #expect(explanation?.category == .notConfigured)
  }

  @Test func muxSecretsAreOnlyAcceptedFromTheEnvironment() throws {
    try user("mux.token_secret = \"abc\"")
    #expect(failure()?.facts["variable"] == "BSC_MUX_TOKEN_SECRET")
    try user("")
    let configuration = try load(environment: ["BSC_MUX_TOKEN_SECRET": "abc"])
    #expect(configuration.muxTokenSecret.value?.revealed == "abc")
  }

  @Test(arguments: [
    ("qualty = 20", "quality"), ("[upload]\nchunksize = 1", "upload.chunk_size"),
    ("[supabase]\nulr = \"x\"", "supabase.url"), ("zebra = 1", nil),
  ])
  func unknownKeySuggestsTheMostSimilarOne(text: String, nearest: String?) throws {
    try user(text)
    let explanation = failure()
    #expect(explanation?.id == "settings.unknown" && explanation?.facts["nearest"] == nearest)
    #expect(explanation?.facts["origin"]?.contains(places.configurationFile) == true)
  }

  @Test(arguments: [
    ("BSC_BACKEND", "cloud"), ("BSC_QUALITY", "52"), ("BSC_QUALITY", "-1"), ("BSC_QUALITY", "nan"),
    ("BSC_QUALITY", "good"), ("BSC_LOCAL_PORT", "-1"), ("BSC_LOCAL_PORT", "65536"), ("BSC_LOCAL_PORT", "7437.5"),
    ("BSC_UPLOAD_CHUNK_SIZE", "100"), ("BSC_UPLOAD_CHUNK_SIZE", "257KiB"), ("BSC_UPLOAD_CHUNK_SIZE", "512MiB"),
    ("BSC_UPLOAD_CHUNK_SIZE", "9999999999GiB"), ("BSC_UPLOAD_RETRY_SECONDS", "-1"), ("BSC_SHARE_PRIVACY", "friends"),
    ("BSC_MUX_URL", "http://example.com"), ("BSC_MUX_IMAGE_URL", "image.mux.com"),
    ("BSC_SUPABASE_URL", "http://example.com"), ("BSC_SUPABASE_URL", "https://ada:secret@example.com"),
    ("BSC_SUPABASE_URL", "example.com"), ("BSC_SUPABASE_URL", "https://"), ("BSC_SUPABASE_URL", "ftp://localhost"),
  ])
  func invalidValuesAreRefused(name: String, text: String) {
    let explanation = failure(environment: [name: text])
    #expect(explanation?.id == "settings.invalid-value" && explanation?.facts["origin"]?.contains(name) == true)
    #expect(explanation?.category == .notConfigured)
  }

  @Test func invalidFlagIsAUsageError() {
    let error = #expect(throws: ShareEngineError.self) {
      try load(flags: [FlagValue(key: "quality", flag: "--quality", text: "best")])
    }
    #expect(error?.explanation.category == .usage)
    #expect(error?.explanation.id == "settings.invalid-value" && error?.explanation.facts["origin"] == "--quality")
  }

  @Test(arguments: [
    ("8388608", 8 << 20), ("8MiB", 8 << 20), ("8 mib", 8 << 20), ("256KiB", 256 << 10), ("256MiB", 256 << 20),
  ])
  func chunkSizesAcceptUnits(text: String, byteCount: Int64) throws {
    #expect(try load(environment: ["BSC_UPLOAD_CHUNK_SIZE": text]).uploadChunkByteCount.value == byteCount)
  }

  @Test func plainHTTPIsAllowedOnThisMachine() throws {
    let configuration = try load(environment: ["BSC_SUPABASE_URL": "http://127.0.0.1:54321"])
    #expect(configuration.supabaseURL.value == URL(string: "http://127.0.0.1:54321"))
  }

  @Test(arguments: ["quality = ", "quality 20", "quality = 20\nquality = 21", "= 1"])
  func syntaxErrorNamesItsLine(text: String) throws {
    try user(text)
    #expect(failure()?.id == "settings.syntax" && failure()?.facts["line"] != nil)
  }

  @Test(arguments: ["quality = [20]", "quality = 2026-01-01", "quality = 07:00:00"])
  func valueOfAnUnsupportedTypeIsRefused(text: String) throws {
    try user(text)
    #expect(failure()?.id == "settings.not-a-value" && failure()?.facts["setting"] == "quality")
  }

  @Test func emptyAndUnknownVariablesAreIgnored() throws {
    let configuration = try load(environment: ["BSC_QUALITY": "", "BSC_UPLOAD_URL": "https://secret"])
    #expect(configuration.quality.origin == .byDefault)
  }
}
