/// Quotes a string so that the shell treats it as a single argument and bsc doesn't parse it as an option.
package func quoteForShell(_ text: String) -> String {
  if text.hasPrefix("-") { return quoteForShell("./" + text) }
  let plain = text.unicodeScalars.allSatisfy { scalar in
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+,:@%".unicodeScalars.contains(scalar)
  }
  return plain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
