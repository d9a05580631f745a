import ClipModel
import Foundation
import Testing

@Suite struct DisplayNumbersTests {
  @Test(arguments: [
    (0.04, "0:00.0"), (2.5, "0:02.5"), (59.99, "1:00.0"), (83.26, "1:23.3"), (3599.96, "1:00:00.0"),
    (3725.4, "1:02:05.4"),
  ])
  func timesInClipsAreRounded(seconds: Double, text: String) { #expect(clock(seconds) == text) }

  @Test(arguments: [(0.0, 0, "00:00"), (64_980, 0, "18:03"), (64_980, 3600, "19:03"), (86_399.9, 0, "23:59")])
  func timesOfDayHave24Hours(seconds: Double, offset: Int, text: String) throws {
    let zone = try #require(TimeZone(secondsFromGMT: offset))
    #expect(timeOfDay(Date(timeIntervalSince1970: seconds), in: zone) == text)
  }

  @Test(arguments: [
    (29.97, "29.97"), (1.1, "1.1"), (8, "8"), (0.4, "0.4"), (1 / 3, "0.33"), (-0.001, "0"), (1e300, nil),
  ])
  func decimalsHaveNoTrailingZeros(value: Double, text: String?) {
    guard let text else { return #expect(!decimal(value).isEmpty) }
    #expect(decimal(value) == text)
  }

  @Test(arguments: [(1e300, Int.max), (-1e300, Int.min), (.nan, 0), (2.9, 2)] as [(Double, Int)])
  func hugeNumbersSaturate(value: Double, expected: Int) { #expect(Int(saturating: value) == expected) }

  @Test func fileNamesArePercentEncoded() {
    #expect("a b/ü#.vtt".percentEncoded == "a%20b%2F%C3%BC%23.vtt")
  }
}
