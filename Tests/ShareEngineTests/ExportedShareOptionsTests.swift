import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct ExportedShareOptionsTests {
  /// Somebody else's file makes nothing more visible than the user's own settings do.
  @Test(arguments: [
    (PrivacyLevel.everyone, PrivacyLevel.onlyMe, PrivacyLevel.onlyMe), (.everyone, .followersOnly, .followersOnly),
    (.onlyMe, .everyone, .onlyMe), (.followersOnly, .everyone, .followersOnly),
  ])
  func theStricterPrivacyCounts(setting: PrivacyLevel, wish: PrivacyLevel, expected: PrivacyLevel) {
    let wishes = ExportedShareOptions(caption: "From the file", privacy: wish, hideLikes: true)
    let request = wishes.applied(to: ShareRequest(privacy: setting), isPrivacyGiven: false)
    #expect(request.privacy == expected && request.caption == "From the file" && request.hideLikes)
    let said = wishes.applied(to: ShareRequest(caption: "Mine", privacy: setting), isPrivacyGiven: true)
    #expect(said.privacy == setting && said.caption == "Mine")
  }

  @Test(arguments: ["{}", #"{"bsc":7}"#, #"{"bsc":{"privacy":"all","caption":1,"highlightId":"x"}}"#, "no JSON"])
  func whatIsNotThereIsNoWish(text: String) throws {
    let home = try ScratchFolder()
    try Data(text.utf8).write(to: URL(filePath: home.path("clip.json")))
    #expect(ExportedShareOptions.read(MetadataRequest(), clipPath: home.path("clip.mp4")) == ExportedShareOptions())
  }

  /// Another clip beside the same sidecar is another highlight.
  @Test(arguments: ["aa", "bb", nil]) func onlyTheExportedClipKeepsItsHighlight(_ digest: String?) {
    let id = UUID()
    let wishes = ExportedShareOptions(highlightID: id, clipSHA256: digest)
    let source = SourceFile(path: "/clip.mp4", byteCount: 1, sha256: "aa")
    #expect(wishes.highlightID(of: source) == (digest == "aa" ? id : nil))
  }
}
