import ClipModel
import Testing

/// Files in messages are called as people know them.
@Suite struct ExplanationNamesTests {
  @Test(arguments: [
    ("cannot read clip.mp4", "season/clip.mp4", "cannot read season/clip.mp4"),
    ("cannot read /home/ada/season/clip.mp4", "season/clip.mp4", "cannot read season/clip.mp4"),
    ("cannot read a/clip.mp4", "season/a/clip.mp4", "cannot read season/a/clip.mp4"),
    // Already, or another file.
    ("cannot read season/clip.mp4", "season/clip.mp4", "cannot read season/clip.mp4"),
    ("cannot read aclip.mp4", "season/clip.mp4", "cannot read aclip.mp4"),
    ("cannot read /other/clip.mp4", "season/clip.mp4", "cannot read /other/clip.mp4"),
    ("cannot read clip.mp4.part", "season/clip.mp4", "cannot read clip.mp4.part"),
    // More is said.
    (
      "the processed copy of clip.mp4 is not as planned", "./clip.mp4",
      "the processed copy of ./clip.mp4 is not as planned"
    ),
    (
      "cannot make a moving picture of clip.mp4 so small", "clip.mp4",
      "cannot make a moving picture of clip.mp4 so small"
    ),
    ("cannot share", "", "cannot share"),
    // Called like the verb.
    ("cannot read read", "d/read", "cannot read d/read"),
  ])
  func theFileIsCalledAsItWasNamed(what: String, shown: String, expected: String) {
    let explanation = Explanation(what: what, why: "clip.mp4 is empty", category: .unjudged)
    let named = explanation.naming(shown, absolutePath: "/home/ada/season/clip.mp4")
    #expect(named.what == expected && named.why == explanation.why)
  }
}
