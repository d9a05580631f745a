import ClipModel
import Testing

/// Tests lists such as `1,4-7`.
@Suite struct RallyIndexSelectionTests {
  @Test(
    arguments: [
      ("0", [0]), ("1,4-7", [1, 4, 5, 6, 7]), ("7,1", [1, 7]), ("3-3", [3]), ("2,1-3,2", [1, 2, 3]),
      (" 1, 2 - 4 ", [1, 2, 3, 4]),
      ("007", [7]),
    ] as [(String, [Int])])
  func numbersAndRangesAreParsed(text: String, expected: [Int]) {
    #expect(RallyIndexSelection(text)?.indexes == expected)
  }

  @Test(
    arguments: [
      "", ",", "1,", "-1", "1-", "4-1", "1-2-3", "a", "1.5", "+1", "1 2", "99999999999999999999", "0-999999999",
      "\u{661}",
    ])
  func otherTextsAreRejected(text: String) { #expect(RallyIndexSelection(text) == nil) }
}
