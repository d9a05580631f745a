/// Writes tables as CSV (RFC 4180) that spreadsheets open without executing anything.
public enum CSVWriter {
  /// A record with CRLF at its end.
  public static func record(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  /// Characters with which a spreadsheet begins a formula.
  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

  /// A field that would be a formula begins with an apostrophe, which `withoutGuard` removes. So does a field that begins
  /// with apostrophes before such a character.
  static func field(_ text: String) -> String {
    let unquoted = text.unicodeScalars.drop { $0 == "'" }
    let guarded = unquoted.first.map(formulaStarts.contains) == true ? "'" + text : text
    guard guarded.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" || $0 == ";" })
    else { return guarded }
    return "\"" + guarded.replacing("\"", with: "\"\"") + "\""
  }

  static func withoutGuard(_ text: String) -> String {
    let unquoted = text.unicodeScalars.drop { $0 == "'" }
    guard text.hasPrefix("'"), unquoted.first.map(formulaStarts.contains) == true else { return text }
    return String(text.dropFirst())
  }
}
