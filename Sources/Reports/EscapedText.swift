extension String {
  /// With some scalars written in another way; `nil` leaves one as it is.
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

  /// Without control characters, line ends included.
  package var onOneLine: String {
    printable.escapingScalars { ["\n", "\u{2028}", "\u{2029}"].contains($0) ? "\u{FFFD}" : nil }
  }

  /// Without what a terminal would obey: names and metadata come from strangers' files.
  package var printable: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }
}
