import ClipModel
import Foundation
import ShareEngine
import Testing

@Suite struct PlacesTests {
  @Test func defaultsAreInTheHomeFolder() throws {
    let places = try ApplicationFolders(environment: ["HOME": "/home/ada"])
    #expect(places.configurationFile == "/home/ada/.config/bsc/config.toml")
    #expect(places.journalFile == "/home/ada/.local/state/bsc/journal.sqlite")
    #expect(places.secretsFolder == "/home/ada/.local/state/bsc/secrets")
    #expect(places.cacheFolder == "/home/ada/.cache/bsc")
    #expect(places.localBackendFolder == "/home/ada/.local/share/bsc/local")
  }

  @Test func variablesOverrideHome() throws {
    let places = try ApplicationFolders(environment: [
      "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k", "XDG_DATA_HOME": "/d",
    ])
    #expect(places.configurationFile == "/c/bsc/config.toml")
    #expect(places.locksFolder == "/s/bsc/locks")
    #expect(places.cacheFolder == "/k/bsc")
    #expect(places.localBackendFolder == "/d/bsc/local")
  }

  @Test(arguments: ["", "relative/state"]) func emptyAndRelativePathsAreIgnored(path: String) throws {
    let places = try ApplicationFolders(environment: ["HOME": "/home/ada", "XDG_STATE_HOME": path])
    #expect(places.stateFolder == "/home/ada/.local/state/bsc")
  }

  @Test func missingHomeFails() {
    let error = #expect(throws: ShareEngineError.self) { _ = try ApplicationFolders(environment: [:]) }
    #expect(error?.explanation.category == .notConfigured)
    #expect(error?.explanation.id == "settings.no-home")
  }

  @Test func pathsOfAJobAreLowercase() throws {
    let places = try ApplicationFolders(environment: ["HOME": "/h"])
    let job = UUID()
    let id = job.uuidString.lowercased()
    #expect(places.jobFolder(job) == "/h/.local/state/bsc/jobs/\(id)")
    #expect(places.lockFile(job) == "/h/.local/state/bsc/locks/\(id).lock")
  }
}
