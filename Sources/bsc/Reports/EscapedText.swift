extension String {
  /// With some scalars written in another way; `nil` leaves one as it is.
  func escapingScalars(_ escape: (Unicode.Scalar) -> String?) -> String {
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
  var onOneLine: String {
    Console.printable(self).escapingScalars { ["\n", "\u{2028}", "\u{2029}"].contains($0) ? "\u{FFFD}" : nil }
  }
}
