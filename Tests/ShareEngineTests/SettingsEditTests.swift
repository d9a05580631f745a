import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct SettingsEditTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  private var text: String? { try? String(contentsOfFile: places.configurationFile, encoding: .utf8) }

  private func write(_ text: String, _ name: String = ".config/bsc/config.toml") throws {
    let path = home.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try home.write(text, to: name)
  }

  @Test(
    arguments: [
      ("", "quality", "23", "quality = 23\n"),
      (
        "# mine\nquality = 20 # fine\n\n[upload]\njobs = 3\n", "quality", "23.5",
        "# mine\nquality = 23.5  # fine\n\n[upload]\njobs = 3\n"
      ),
      (
        "[upload]\njobs = 3\n\n[local]\nport = 1\n", "upload.chunk_size", "1MiB",
        "[upload]\njobs = 3\nchunk_size = \"1MiB\"\n\n[local]\nport = 1\n"
      ),
      ("[upload]\njobs = 3\n", "quality", "23", "quality = 23\n\n[upload]\njobs = 3\n"),
      ("upload.jobs = 3\n", "upload.jobs", "4", "upload.jobs = 4\n"),
      ("[upload]\n  jobs = 3\n", "upload.jobs", nil, "[upload]\n"),
      ("quality = 20", "backend", "supabase", "quality = 20\nbackend = \"supabase\"\n"),
      ("[rules.\"clip.duration\"]\nmin = 2\n", "quality", "23", "quality = 23\n\n[rules.\"clip.duration\"]\nmin = 2\n"),
    ] as [(String, String, String?, String)])
  func onlyTheLineOfTheSettingChanges(_ old: String, _ key: String, _ value: String?, _ new: String) throws {
    if !old.isEmpty { try write(old) }
    try SettingsEdit.setValue(key, to: value, from: .flag("test"), places: places)
    #expect(text == new)
    let configuration = try Configuration(environment: [:], workingFolder: home.path, places: places)
    let entry = try #require(configuration.entries.first { $0.key == key })
    #expect(value == nil ? entry.origin == "default" : entry.origin == places.configurationFile, "\(entry)")
  }

  @Test(
    arguments: [
      ("qualty", "23", "settings.unknown"), ("quality", "99", "settings.invalid-value"),
      ("mux.token_secret", "abc", "settings.secret"), ("rules.clip.duration.min", "2", "settings.rules-table"),
    ])
  func invalidSettingsAreRefused(_ key: String, _ value: String, _ id: String) throws {
    try write("quality = 20\n")
    let error = #expect(throws: ShareEngineError.self) {
      try SettingsEdit.setValue(key, to: value, from: .flag("test"), places: places)
    }
    let explanation = try #require(error?.explanation)
    #expect(explanation.id == id, "\(explanation)")
    #expect(!"\(explanation)".contains("abc") && text == "quality = 20\n")
  }

  /// A file that cannot be edited line by line is not changed.
  @Test func fileThatCannotBeEditedIsUnchanged() throws {
    let old = "upload = { jobs = 3 }\n"
    try write(old)
    #expect(throws: ShareEngineError.self) {
      try SettingsEdit.setValue("upload.jobs", to: "4", from: .flag("test"), places: places)
    }
    #expect(text == old)
  }

  @Test func symbolicLinkIsKept() throws {
    try write("quality = 20\n", "dotfiles/bsc.toml")
    try FileManager.default.createDirectory(atPath: places.configurationFolder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: places.configurationFile, withDestinationPath: home.path("dotfiles/bsc.toml"))
    try SettingsEdit.setValue("quality", to: "23", from: .flag("test"), places: places)
    #expect(try String(contentsOfFile: home.path("dotfiles/bsc.toml"), encoding: .utf8) == "quality = 23\n")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: places.configurationFile)) != nil)
    let mode = try FileManager.default.attributesOfItem(atPath: home.path("dotfiles/bsc.toml"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }
}
