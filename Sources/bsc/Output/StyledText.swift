import Reports

/// Text with a meaning, which a terminal shows in colour and everything else as it is.
///
/// Written as `"\("error:", .bad) \(name) is gone"`. Control characters go when it is rendered, from each piece by itself
/// and before there are colours: a name cannot bring its own.
struct StyledText: Equatable, Sendable {
  /// The eight colours that every terminal has, readable on light and dark; what they are is theirs.
  enum Tone: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case doubtful = "33"
    case strong = "1"
    case faint = "2"
  }

  private struct Span: Equatable, Sendable {
    var text: String
    var tone: Tone?
    /// A path or an address: no line is broken inside.
    var isWhole = false
  }

  private var spans: [Span] = []

  init(_ text: String, _ tone: Tone? = nil) { spans = [Span(text: text, tone: tone)] }

  /// What somebody may copy, as a path: on a narrow terminal it stays one line.
  static func whole(_ text: String, _ tone: Tone? = nil) -> StyledText {
    var whole = StyledText(text, tone)
    whole.spans[0].isWhole = true
    return whole
  }

  /// Without colours, and with whatever is in it.
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
    sum.spans += second.spans
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
    /// As `StyledText.whole`.
    mutating func appendInterpolation(whole text: String, _ tone: Tone? = nil) { result += .whole(text, tone) }
    mutating func appendInterpolation(_ value: some CustomStringConvertible, _ tone: Tone? = nil) {
      result += StyledText(value.description, tone)
    }
  }
}

extension StyledText {
  /// Without control characters, line ends included.
  var onOneLine: StyledText {
    var line = self
    for index in line.spans.indices { line.spans[index].text = line.spans[index].text.onOneLine }
    return line
  }

  /// Each of its lines broken as `LineWrapping` says.
  /// - Parameter indent: of what goes on below; `nil` puts it below the value of a line that begins with a label.
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
}

extension StyledText {
  /// `  clip       /home/…`: a label and what it stands for, in two columns.
  static func fact(_ label: String, _ value: StyledText) -> StyledText { "  \(label.padded(11), .faint)\(value)" }
}

extension [StyledText] {
  func joined(separator: String) -> StyledText {
    enumerated().reduce(into: StyledText("")) { $0 += ($1.offset == 0 ? "" : StyledText(separator)) + $1.element }
  }

  /// Each on a line of its own, with its end.
  var lines: StyledText { reduce(into: StyledText("")) { $0 += $1 + "\n" } }
}
