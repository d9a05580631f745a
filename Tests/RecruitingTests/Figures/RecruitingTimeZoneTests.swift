import Foundation
import Recruiting
import Testing

@Suite struct RecruitingTimeZoneTests {
  @Test(arguments: [
    ("2026-02-03T19:15:00Z", "America/New_York", "Feb 3, 2026, 2:15 PM"),
    ("2026-02-03T05:05:00Z", "America/New_York", "Feb 3, 2026, 12:05 AM"),
    ("2026-02-03T04:59:00Z", "America/New_York", "Feb 2, 2026, 11:59 PM"),
    ("2026-07-04T16:00:00Z", "America/New_York", "Jul 4, 2026, 12:00 PM"),
    ("2026-12-31T18:20:00Z", "Asia/Kathmandu", "Jan 1, 2027, 12:05 AM"),
  ]) func timesAreShownInTheZone(date: String, zone: String, label: String) {
    #expect(Samples.zone(zone).label(Samples.date(date)) == label)
  }

  @Test(arguments: ["Mars/Base", "", "America"]) func unknownZonesAreErrors(name: String) {
    let error = #expect(throws: RecruitingError.self) { try RecruitingTimeZone(named: name) }
    #expect(error == RecruitingError(.timeZone, ["zone": name]))
  }

  private static let ages: [(seconds: Int, text: String)] = [
    (0, "now"), (59, "now"), (-3600, "now"), (60, "1m ago"), (3599, "59m ago"), (7200, "2h ago"), (86_399, "23h ago"),
    (86_400, "1d ago"), (604_799, "6d ago"), (604_800, "1w ago"), (2_591_999, "4w ago"), (2_592_000, "1mo ago"),
    (31_535_999, "12mo ago"), (31_536_000, "1y ago"), (63_072_000, "2y ago"),
  ]

  @Test(arguments: ages) func agesAreShort(seconds: Int, text: String) {
    let now = Samples.date("2026-03-10T16:00:00Z")
    #expect(RelativeTime.text(now - Double(seconds), now: now) == text)
  }
}
