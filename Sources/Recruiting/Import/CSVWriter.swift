/// Writes tables as CSV (RFC 4180) that spreadsheets open without executing anything.
public enum CSVWriter {
  /// A record with CRLF at its end.
  public static func record(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  /// Characters with which a spreadsheet begins a formula.
  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

  /// Spreadsheets may ignore white space and invisible characters at the start of a field.
  private static func isFormula(_ text: String) -> Bool {
    let start = text.unicodeScalars.first { scalar in
      if formulaStarts.contains(scalar) { return true }
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark: return false
      default: return scalar != "'"
      }
    }
    return start.map(formulaStarts.contains) == true
  }

  /// A field that would be a formula begins with an apostrophe, which `withoutGuard` removes. So does a field that begins
  /// with apostrophes before such a character.
  static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  static func field(_ text: String) -> String {
    let guarded = guarded(text)
    guard guarded.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" || $0 == ";" })
    else { return guarded }
    return "\"" + guarded.replacing("\"", with: "\"\"") + "\""
  }

  static func withoutGuard(_ text: String) -> String {
    guard text.unicodeScalars.first == "'", isFormula(text) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }
}
