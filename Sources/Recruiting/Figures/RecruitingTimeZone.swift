public import Foundation

/// Calendar days and times of day in the user's time zone, across daylight changes.
public struct RecruitingTimeZone: Equatable, Sendable {
  private let calendar: Calendar

  /// Uses the Gregorian calendar in a zone.
  public init(_ zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// A zone of the time zone database: `America/New_York`.
  public init(named name: String) throws(RecruitingError) {
    guard let zone = TimeZone(identifier: name) else { throw RecruitingError(.timeZone, ["zone": name]) }
    self.init(zone)
  }

  /// The name of the zone in the time zone database.
  package var identifier: String { calendar.timeZone.identifier }

  /// The same time of day some days earlier, which is not always a multiple of 24 hours.
  package func days(_ count: Int, before date: Date) -> Date {
    calendar.date(byAdding: .day, value: -count, to: date) ?? date.addingTimeInterval(Double(-count) * 86_400)
  }

  /// The last `count` calendar days until today: their names as `2026-11-24`, and the first moment of each, followed by
  /// that of tomorrow. A day can have 23 or 25 hours, and need not begin at midnight.
  func lastDays(_ count: Int, until now: Date) -> (names: [String], starts: [Date]) {
    let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: now) ?? now
    let noons = (0...count).map { days(count - 1 - $0, before: noon) }
    return (noons.dropLast().map(name), noons.map { calendar.startOfDay(for: $0) })
  }

  /// The calendar day of a time: `2026-11-24`.
  func name(of date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
  }

  /// A day as charts show it: `Feb 3`.
  public func dayLabel(_ date: Date) -> String {
    let parts = calendar.dateComponents([.month, .day], from: date)
    return "\(Self.months[(parts.month ?? 1) - 1]) \(parts.day ?? 0)"
  }

  /// A time as lists show it: `Feb 3, 2026, 2:15 PM`.
  public func label(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .hour, .minute], from: date)
    let hour = parts.hour ?? 0
    let clock = "\(hour % 12 == 0 ? 12 : hour % 12):\(padded(parts.minute, 2)) \(hour < 12 ? "AM" : "PM")"
    return "\(dayLabel(date)), \(parts.year ?? 0), \(clock)"
  }

  /// The value of a form's field for a time: `2026-02-03T14:15`.
  public func fieldText(_ date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return "\(name(of: date))T\(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
  }

  /// The time of a form's field. `nil` for other text, and for days that don't exist.
  public func date(ofField text: String) -> Date? { self.date(of: text.replacing("T", with: " ")) }

  /// A time in an exported table, in ISO 8601 with the offset of the zone: `2026-02-03T14:15:30-05:00`. An offset of zero is
  /// `Z`. A zone whose offset is not a whole number of minutes is written in UTC.
  func exportText(_ date: Date) -> String {
    let offset = calendar.timeZone.secondsFromGMT(for: date)
    guard offset.isMultiple(of: 60) else { return RecruitingTimeZone(.gmt).exportText(date) }
    let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
    let suffix = offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(padded(hours, 2)):\(padded(minutes, 2))"
    return "\(fieldText(date)):\(padded(calendar.component(.second, from: date), 2))\(suffix)"
  }

  /// Parses a time in a table, in this zone unless the text contains one: ISO 8601, `2026-02-03`,
  /// `2026-02-03 14:15`, `2/3/2026`, `2/3/2026 2:15 PM` or `Feb 3, 2026, 2:15 PM`. `nil` for other text, and for days that
  /// don't exist.
  func date(of text: String) -> Date? {
    if let date = RecruitingDate.parse(text) { return date }
    let parts = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    var day: (year: Int, month: Int, day: Int)?
    var rest = parts[...]
    if let month = rest.first.flatMap({ name in Self.months.firstIndex { $0.lowercased() == name.lowercased() } }) {
      guard parts.count >= 3, let number = Int(parts[1]), let year = Int(parts[2]) else { return nil }
      day = (year, month + 1, number)
      rest = rest.dropFirst(3)
    } else if let numbers = rest.popFirst()?.split(whereSeparator: { $0 == "-" || $0 == "/" }).map({ Int($0) }),
      numbers.count == 3, let first = numbers[0], let second = numbers[1], let third = numbers[2]
    {
      day = text.contains("/") ? (third, first, second) : (first, second, third)
    }
    guard let day, (1900...9999).contains(day.year), let time = Self.timeOfDay(rest) else { return nil }
    let wanted = DateComponents(
      year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute)
    // A calendar turns February 30 into March 2.
    guard let date = calendar.date(from: wanted),
      calendar.dateComponents([.month, .day], from: date) == DateComponents(month: day.month, day: day.day)
    else { return nil }
    return date
  }

  /// `14:15`, `14:15:30`, `2:15 PM`, or midnight without a time.
  private static func timeOfDay(_ parts: ArraySlice<String>) -> (hour: Int, minute: Int)? {
    guard let clock = parts.first else { return (0, 0) }
    let numbers = clock.split(separator: ":").map { Int($0) }
    guard (2...3).contains(numbers.count), parts.count <= 2, let hour = numbers[0], let minute = numbers[1],
      (0...59).contains(minute)
    else { return nil }
    switch parts.dropFirst().first?.lowercased() {
    case nil: return (0...23).contains(hour) ? (hour, minute) : nil
    case "am" where (1...12).contains(hour): return (hour % 12, minute)
    case "pm" where (1...12).contains(hour): return (hour % 12 + 12, minute)
    default: return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func padded(_ number: Int?, _ width: Int) -> String {
    let text = String(number ?? 0)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension RecruitingTimeZone {
  /// A time that a person enters, in the forms that tables have.
  public func time(_ text: String) throws(RecruitingError) -> Date {
    guard let date = date(of: text) else { throw RecruitingError(.time, ["time": text]) }
    return date
  }
}
