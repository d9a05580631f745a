import ClipModel
import Foundation
import Testing

/// Tests that messages contain the paths that the user entered.
@Suite struct ExplanationNamesTests {
  @Test(arguments: [
    ("clip.mp4", "season/clip.mp4", "season/clip.mp4"),
    ("/home/ada/season/clip.mp4", "season/clip.mp4", "season/clip.mp4"),
    ("a/clip.mp4", "season/a/clip.mp4", "season/a/clip.mp4"), ("clip.mp4", "./clip.mp4", "./clip.mp4"),
    // Already replaced, or another file.
    ("season/clip.mp4", "season/clip.mp4", "season/clip.mp4"), ("aclip.mp4", "season/clip.mp4", "aclip.mp4"),
    ("/other/clip.mp4", "season/clip.mp4", "/other/clip.mp4"),
    ("clip.mp4.part", "season/clip.mp4", "clip.mp4.part"), ("clip.mp4", "", "clip.mp4"),
    // A file with the same name as the verb.
    ("read", "d/read", "d/read"),
  ])
  func pathIsReplacedByTheEnteredPath(file: String, shown: String, expected: String) {
    let explanation = Explanation(
      id: "file.empty", what: "cannot read \(file)", why: "clip.mp4 is empty", facts: ["file": file],
      category: .unjudged)
    let named = explanation.replacingPath(shown, absolutePath: "/home/ada/season/clip.mp4")
    #expect(named.what == "cannot read \(expected)" && named.facts["file"] == expected)
    #expect(named.why == explanation.why)
  }

  @Test func placeholdersAreReplacedOnce() {
    #expect(ErrorText.fillPlaceholders("{a} and {b}", ["a": "{b}", "b": "x"]) == "{b} and x")
    #expect(ErrorText.fillPlaceholders("{a}", [:]) == nil && ErrorText.fillPlaceholders("a } {", [:]) == "a } {")
  }

  /// Advice is only written by programs that provide it.
  @Test func explanationsAreStored() throws {
    let explanation = Explanation(id: "a.b", what: "w", why: "y", facts: ["file": "f"], category: .remote)
    let encoder = JSONEncoder()
    #expect(try JSONDecoder().decode(Explanation.self, from: encoder.encode(explanation)) == explanation)
    encoder.userInfo[try #require(Explanation.adviceKey)] = { $0.id } as @Sendable (Explanation) -> String?
    #expect(String(decoding: try encoder.encode(explanation), as: UTF8.self).contains(#""next":"a.b""#))
  }
}
