extension String {
  /// Returns the string with some scalars replaced.
  /// - Parameter escape: returns the replacement for a scalar, or `nil` to keep the scalar.
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

  /// The string on a single line, with control characters and line breaks replaced.
  package var onOneLine: String {
    printable.escapingScalars { ["\n", "\u{2028}", "\u{2029}"].contains($0) ? "\u{FFFD}" : nil }
  }

  /// The string with control characters replaced, because untrusted names and metadata may contain them.
  package var printable: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }
}
