extension String {
  /// The text with some scalars replaced.
  /// - Parameter escape: the replacement of a scalar; `nil` keeps it.
  package func escapingScalars(_ escape: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escaped = escape(scalar) {
        result.append(contentsOf: escaped.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text without control characters and line breaks.
  package var onOneLine: String {
    printable.escapingScalars { ["\n", "\u{2028}", "\u{2029}"].contains($0) ? "\u{FFFD}" : nil }
  }

  /// The text without control characters, which untrusted names and metadata can contain.
  package var printable: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }
}
