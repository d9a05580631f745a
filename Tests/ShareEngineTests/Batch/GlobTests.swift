import Testing

@testable import ShareEngine

@Suite struct GlobTests {
  @Test(arguments: [
    ("*.mov", "a.mov", true), ("*.mov", "day 1/B.MOV", true), ("*.mov", "a.mp4", false),
    ("day*/a.mov", "day 1/a.mov", true), ("day*/a.mov", "day 1/x/a.mov", false), ("day*", "day 1/a.mov", false),
    ("**/a.mov", "a.mov", true), ("**/a.mov", "x/y/a.mov", true), ("x/**", "x/y/a.mov", true),
    ("x/**/a.mov", "x/a.mov", true), ("x/**/a.mov", "y/a.mov", false), ("/x/*", "x/a.mov", true),
    ("?.mov", "a.mov", true), ("?.mov", "ab.mov", false), ("[a-c].mov", "b.mov", true), ("[!a-c].mov", "b.mov", false),
    ("[]", "a", false), ("*.{mov,mp4}", "a.mp4", true), ("*.{mov,mp4}", "a.avi", false),
    ("GX01*", "gx010042.mp4", true), ("été*", "e\u{301}te\u{301} 1.mov", true), ("*a*b*", "xaxbx", true),
    ("*a*b*", "xbxax", false), ("**", "x/y", true), ("*", "x/y", true), ("x/*", "x/y/z", false), ("", "", true),
    ("a*/b*/c", "ax/by/c", true), ("**/x/*.mov", "1/x/2/x/3.mov", true),
    ("**/a.mov", "xa.mov", false), ("x**/a.mov", "xy/a.mov", true), ("x/a**b.mov", "x/a/y/b.mov", true),
  ])
  func matches(_ pattern: String, _ name: String, _ isMatch: Bool) throws {
    let glob = try #require(Glob(pattern))
    #expect(glob.matches(name) == isMatch)
  }

  @Test(arguments: ["[a", "{a,b", "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}{q,r}"])
  func unclosedOrTooComplexPatternIsNil(_ pattern: String) {
    #expect(Glob(pattern) == nil)
  }

  /// A pattern that takes naive matchers exponential time.
  @Test func manyStarsAreFast() throws {
    let glob = try #require(Glob(String(repeating: "*a", count: 40) + "b"))
    #expect(!glob.matches(String(repeating: "a", count: 4000)))
  }
}
