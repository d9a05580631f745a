import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc strip --in-place`.
  @Suite struct StripInPlaceTests {
    @Test func inPlaceReplacesFile() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let link = home.folder.path("link.mp4")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: clip)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: clip)
      let strip = try await home.run("strip", "--in-place", link)
      #expect(strip.status == 0, "\(strip)")
      #expect(try await home.run("audit", clip).status == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == clip)
      let permissions = try FileManager.default.attributesOfItem(atPath: clip)[.posixPermissions] as? Int
      #expect(permissions == 0o640)
      #expect(try !home.folder.names().contains { $0.contains(".tmp") })
    }

    @Test func inPlaceReportsHardLinks() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      try FileManager.default.linkItem(atPath: clip, toPath: home.folder.path("second.mp4"))
      let strip = try await home.run("strip", "--in-place", clip, "--json")
      let document = try JSONSerialization.jsonObject(with: Data(strip.output.utf8)) as? [String: Any]
      // A note has the count of the other links.
      let notes = document?["notes"] as? [String] ?? []
      #expect(strip.status == 0 && notes.contains { $0.hasPrefix("1 ") }, "\(strip)")
      #expect(try await home.run("audit", home.folder.path("second.mp4")).status == 4)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func inPlaceKeepsOwnerAndGroup() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      #expect(chown(clip, 1234, 2345) == 0)
      #expect(try await home.run("strip", "--in-place", clip).status == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: clip)
      #expect(attributes[.ownerAccountID] as? Int == 1234 && attributes[.groupOwnerAccountID] as? Int == 2345)
    }
  }
}
