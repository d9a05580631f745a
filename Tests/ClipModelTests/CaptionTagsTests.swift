import ClipModel
import Testing

@Suite struct CaptionTagsTests {
  @Test(arguments: [
    ("Big #spike at the beach", ["spike"]), ("#Spike #SPIKE #spike", ["spike"]), ("#b #a #b", ["b", "a"]),
    ("#été #排球 #2v2 #beach_volley", ["été", "排球", "2v2", "beach_volley"]), ("#no-hyphen", ["no"]), ("a#b", ["b"]),
    ("##x", ["x"]), ("#🏐", []), ("# x", []), ("#", []), ("", []), ("#ÄRGER", ["ärger"]), ("#a#b", ["a", "b"]),
  ])
  func findsTheSameTagsAsTheApp(caption: String, tags: [String]) {
    #expect(CaptionTags.extractHashtags(in: caption) == tags)
  }
}
