import Reports

/// Text whose parts can have a tone, which terminals show as a color.
///
/// Written as `"\("error:", .bad) cannot read \(name)"`. Control characters are replaced when the text is rendered,
/// before colors are added, so control characters in a file name have no effect.
struct StyledText: Equatable, Sendable {
  /// Colors that every terminal supports, readable on light and dark backgrounds.
  enum Tone: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case doubtful = "33"
    case strong = "1"
    case faint = "2"
  }

  private struct StyledSpan: Equatable, Sendable {
    var text: String
    var tone: Tone?
    /// Whether the span stays on one line, so that a path or URL can be copied.
    var isWhole = false
  }

  private var spans: [StyledSpan] = []

  init(_ text: String, _ tone: Tone? = nil) { spans = [StyledSpan(text: text, tone: tone)] }

  /// Creates text that stays on one line, so that a path or URL can be copied.
  static func unbrokenText(_ text: String, _ tone: Tone? = nil) -> StyledText {
    var whole = StyledText(text, tone)
    whole.spans[0].isWhole = true
    return whole
  }

  /// The text without colors, but with its control characters.
  var plain: String { spans.map(\.text).joined() }

  func rendered(isColored: Bool) -> String {
    spans.map { span in
      let text = span.text.printable
      guard isColored, let tone = span.tone, !text.isEmpty else { return text }
      return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }.joined()
  }

  static func + (first: StyledText, second: StyledText) -> StyledText {
    var sum = first
    sum += second
    return sum
  }

  static func += (first: inout StyledText, second: StyledText) { first.spans += second.spans }
}

extension StyledText: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.init(text) }
  init(stringInterpolation: StringInterpolation) { self = stringInterpolation.result }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var result = StyledText("")

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ text: String) { result += StyledText(text) }
    mutating func appendInterpolation(_ text: StyledText) { result += text }
    /// Like `StyledText.unbrokenText`.
    mutating func appendInterpolation(whole text: String, _ tone: Tone? = nil) { result += .unbrokenText(text, tone) }
    mutating func appendInterpolation(_ value: some CustomStringConvertible, _ tone: Tone? = nil) {
      result += StyledText(value.description, tone)
    }
  }
}

extension StyledText {
  /// The text without control characters and line breaks.
  var onOneLine: StyledText {
    var line = self
    for index in line.spans.indices { line.spans[index].text = line.spans[index].text.onOneLine }
    return line
  }

  /// Returns the text with its lines wrapped by `LineWrapping`.
  /// - Parameter indent: the indent of continuation lines; `nil` aligns them with the value of a labeled line.
  func wrapped(columns: Int, indent: Int? = nil) -> StyledText {
    var whole: [Range<Int>] = []
    var offset = 0
    for span in spans {
      let end = offset + span.text.unicodeScalars.count
      if span.isWhole { whole.append(offset..<end) }
      offset = end
    }
    var breaks = LineWrapping(plain, columns: columns, indent: indent, whole: whole).breaks[...]
    guard !breaks.isEmpty else { return self }
    var wrapped = self
    offset = 0
    for index in spans.indices {
      var text = String.UnicodeScalarView()
      for scalar in spans[index].text.unicodeScalars {
        while let first = breaks.first, first.spaces.upperBound <= offset { breaks.removeFirst() }
        if let first = breaks.first, first.spaces.contains(offset) {
          if offset == first.spaces.lowerBound {
            text.append(contentsOf: ("\n" + String(repeating: " ", count: first.indent)).unicodeScalars)
          }
        } else {
          text.append(scalar)
        }
        offset += 1
      }
      wrapped.spans[index].text = String(text)
    }
    return wrapped
  }

  /// Returns a label and a value in two columns, for example `  clip       /home/…`.
  static func labeledLine(_ label: String, _ value: StyledText) -> StyledText {
    "  \(label.padded(11), .faint)\(value)"
  }
}

extension [StyledText] {
  func joined(separator: String) -> StyledText {
    enumerated().reduce(into: StyledText("")) { $0 += ($1.offset == 0 ? "" : StyledText(separator)) + $1.element }
  }

  /// The elements as lines, each with a line feed at the end.
  var lines: StyledText { reduce(into: StyledText("")) { $0 += $1 + "\n" } }
}

extension String {
  /// Returns the text, padded with spaces to at least `count` characters.
  func padded(_ count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
