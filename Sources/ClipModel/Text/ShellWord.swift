/// Quotes a text so that a shell treats it as one argument, and bsc does not parse it as an option.
package func shellWord(_ text: String) -> String {
  if text.hasPrefix("-") { return shellWord("./" + text) }
  let plain = text.unicodeScalars.allSatisfy { scalar in
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+,:@%".unicodeScalars.contains(scalar)
  }
  return plain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
