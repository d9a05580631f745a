import Foundation
import Testing

@testable import ShareEngine

@Suite struct DailyWindowTests {
  private func seconds(_ window: String, at time: String, zone: String = "UTC") throws -> Double {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let date = try Date(time, strategy: .iso8601)
    return try #require(DailyWindow(window)).secondsUntilOpen(at: date, calendar: calendar)
  }

  @Test(
    arguments: [
      ("22:00-07:00", "2026-11-22T23:00:00Z", 0), ("22:00-07:00", "2026-11-22T06:59:59Z", 0),
      ("22:00-07:00", "2026-11-22T07:00:00Z", 15 * 3600), ("22:00-07:00", "2026-11-22T21:59:30Z", 30),
      ("09:00-17:00", "2026-11-22T12:00:00Z", 0), ("09:00-17:00", "2026-11-22T17:00:00Z", 16 * 3600),
      ("00:00-23:59", "2026-11-22T23:59:30Z", 30),
    ] as [(String, String, Double)])
  func secondsUntilOpen(_ window: String, _ time: String, _ expected: Double) throws {
    #expect(try seconds(window, at: time) == expected)
  }

  /// On 2026-03-29, 02:00 becomes 03:00 in Berlin. 02:30 does not exist, so the window opens at 03:00.
  @Test func skippedHourOpensAtItsEnd() throws {
    #expect(try seconds("02:30-06:00", at: "2026-03-29T00:30:00Z", zone: "Europe/Berlin") == 1800)
  }

  @Test(arguments: ["", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22-07", "a:b-c:d", "22:00-07:00-08:00"])
  func invalidWindowIsNil(_ text: String) { #expect(DailyWindow(text) == nil) }
}
