import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// The files of a folder that `audit` and `strip` process.
  @Suite struct MediaFolderTests {
    @Test func skippedFilesOfFolderAreReported() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      // A folder with the name of a video.
      try FileManager.default.createDirectory(atPath: season + "/sub.mp4", withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/sub.mp4/one.INSV")
      try Data("x".utf8).write(to: URL(filePath: season + "/notes.txt"))
      try Data("x".utf8).write(to: URL(filePath: season + "/.hidden.mp4"))
      try FileManager.default.createSymbolicLink(atPath: season + "/back", withDestinationPath: season)
      let link = home.folder.path("link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: season)
      for folder in [season, link] {
        let audit = try await home.run("audit", folder)
        #expect(audit.status == 4 && audit.output.contains("sub.mp4/one.INSV"), "\(audit)")
        #expect(audit.errors.contains(/skipped 2 .* 1 \w/), "\(audit)")
        #expect(try await home.run("audit", "--quiet", folder).errors.isEmpty)
      }
      let strip = try await home.run("strip", season, "-o", "public")
      #expect(strip.status == 0 && strip.errors.contains("note: skipped 2 "), "\(strip)")
    }

    @Test func nameThatIsNotUTF8IsReported() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("no-metadata"), toPath: season + "/one.mp4")
      let bytes = Array("\(season)/caf".utf8) + [0xE9] + Array(".mp4".utf8) + [0]
      let descriptor = open(bytes.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
      // Some file systems do not accept such names.
      guard descriptor >= 0 else { return }
      close(descriptor)
      let audit = try await home.run("audit", season, "--json")
      #expect(audit.status == 3 && audit.failures.map(\.id) == ["file.name-not-utf8"], "\(audit)")
      #expect(audit.output.contains(#""verdict":"clean""#) && audit.output.contains("one.mp4"), "\(audit)")
    }

    @Test func secondRunSkipsResults() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/one.mp4")
      for arguments in [[season], [season, "-o", season + "/public"]] {
        let first = try await home.start(["strip"] + arguments).outcome()
        #expect(first.status == 0, "\(first)")
        let again = try await home.start(["strip", "--json"] + arguments).outcome()
        #expect(again.status == 64 && again.failures.map(\.id) == ["file.exists"], "\(again)")
        let forced = try await home.start(["strip", "--force"] + arguments).outcome()
        #expect(forced.status == 0 && forced.errors.contains(/note: skipped \d/), "\(forced)")
      }
      let names = try FileManager.default.subpathsOfDirectory(atPath: season)
      #expect(Set(names) == ["one.mp4", "one-stripped.mp4", "public", "public/one.mp4"])
    }
  }
}
