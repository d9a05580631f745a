import Reports

extension [String?] {
  /// The values on one line, without line breaks. `nil` values are left out.
  var detailLine: String {
    compactMap(\.self).map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.joined(separator: "  ")
      .onOneLine
  }
}
