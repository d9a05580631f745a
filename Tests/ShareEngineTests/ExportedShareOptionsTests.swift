import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct ExportedShareOptionsTests {
  /// An exported file cannot make a highlight more visible than the user's settings.
  @Test(arguments: [
    (PrivacyLevel.everyone, PrivacyLevel.onlyMe, PrivacyLevel.onlyMe), (.everyone, .followersOnly, .followersOnly),
    (.onlyMe, .everyone, .onlyMe), (.followersOnly, .everyone, .followersOnly),
  ])
  func stricterPrivacyApplies(setting: PrivacyLevel, exported: PrivacyLevel, expected: PrivacyLevel) {
    let options = ExportedShareOptions(caption: "From the file", privacy: exported, hideLikes: true)
    let request = options.applyOptions(to: ShareRequest(privacy: setting), isPrivacyGiven: false)
    #expect(request.privacy == expected && request.caption == "From the file" && request.hideLikes)
    let explicit = options.applyOptions(to: ShareRequest(caption: "Mine", privacy: setting), isPrivacyGiven: true)
    #expect(explicit.privacy == setting && explicit.caption == "Mine")
  }

  @Test(arguments: ["{}", #"{"bsc":7}"#, #"{"bsc":{"privacy":"all","caption":1,"highlightId":"x"}}"#, "no JSON"])
  func invalidMetadataHasNoOptions(text: String) throws {
    let home = try ScratchFolder()
    try Data(text.utf8).write(to: URL(filePath: home.path("clip.json")))
    #expect(ExportedShareOptions.read(MetadataRequest(), clipPath: home.path("clip.mp4")) == ExportedShareOptions())
  }

  @Test(arguments: ["aa", "bb", nil]) func onlyExportedClipMatchesHighlight(_ digest: String?) {
    let id = UUID()
    let options = ExportedShareOptions(highlightID: id, clipSHA256: digest)
    let source = SourceFile(path: "/clip.mp4", byteCount: 1, sha256: "aa")
    #expect(options.singleClipHighlightID(of: source) == (digest == "aa" ? id : nil))
  }
}
