public import Foundation

/// Times as PostgREST, X and Instagram write them.
public enum RecruitingDate {
  /// Parses an ISO 8601 time with a time zone: with or without fractional seconds, with `Z`, `+00:00` or `+0000`, and
  /// with `T` or a space before the time. `nil` for other text, and for days that don't exist.
  public static func parse(_ text: String) -> Date? {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.number(4), reader.skip(["-"]), let month = reader.number(2), reader.skip(["-"]),
      let day = reader.number(2), reader.skip(["T", "t", " "]), let hour = reader.number(2), reader.skip([":"]),
      let minute = reader.number(2), reader.skip([":"]), let second = reader.number(2),
      hour < 24, minute < 60, second < 61, let days = daysSince1970(year, month, day)
    else { return nil }
    let fraction = reader.skip(["."]) ? reader.fraction() : 0
    guard let fraction, let offset = reader.offset(), reader.isAtEnd else { return nil }
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction)
  }

  /// Writes a time in UTC with milliseconds: `2026-11-24T13:05:00.250Z`.
  public static func format(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }

  /// The days since 1970-01-01 in the Gregorian calendar, or `nil` for a day that doesn't exist.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    // The number of leap days before the year. Years have four digits, so no value is negative.
    let before = year - 1
    let yearDays = year * 365 + (year == 0 ? 0 : before / 4 - before / 100 + before / 400 + 1)
    return yearDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_528
  }
}

private struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ characters: [Character]) -> Bool {
    guard position < bytes.count, characters.contains(Character(Unicode.Scalar(bytes[position]))) else { return false }
    position += 1
    return true
  }

  mutating func number(_ digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<(position + digits)] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += digits
    return value
  }

  /// One to nine digits after the point.
  mutating func fraction() -> Double? {
    var value = 0.0
    var scale = 0.1
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) {
      value += Double(bytes[position] - 48) * scale
      scale /= 10
      position += 1
    }
    return (1...9).contains(position - start) ? value : nil
  }

  /// The offset from UTC in seconds.
  mutating func offset() -> Int? {
    if skip(["Z", "z"]) { return 0 }
    let isNegative = skip(["-"])
    guard isNegative || skip(["+"]), let hours = number(2) else { return nil }
    _ = skip([":"])
    guard let minutes = isAtEnd ? 0 : number(2), hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }
}
