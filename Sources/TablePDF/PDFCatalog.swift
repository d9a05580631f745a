/// Adds the language to a finished document, which cairo can't.
///
/// Appends a second version of the document's catalog, a table of its position and a trailer: an incremental update
/// (ISO 32000-1, 7.5.6). The bytes of the document remain as cairo wrote them.
enum PDFCatalog {
  /// Screen readers select a voice by the language, and windows show the title instead of the name of the file.
  /// - Returns: the document without a change if it isn't as cairo writes version 1.4.
  static func adding(language: String, to document: [UInt8]) -> [UInt8] {
    // The trailer is text.
    let tail = String(decoding: document.suffix(2048), as: UTF8.self)
    guard
      let trailer = tail.matches(of: /trailer\s*<<(.*)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.dotMatchesNewlines()).last,
      let table = Int(trailer.2), let root = trailer.1.firstMatch(of: /\/Root (\d+) 0 R/).flatMap({ Int($0.1) }),
      let offset = position(of: root, table, document),
      let catalog = text(from: offset, document).firstMatch(of: /^\d+ 0 obj\s*<<(.*?)>>\s*endobj/.dotMatchesNewlines())
    else { return document }
    let object = """
      \(root) 0 obj
      <<\(catalog.1)   /Lang (\(language))
         /ViewerPreferences << /DisplayDocTitle true >>
      >>
      endobj

      """
    let positionText = String(document.count)
    let update = """
      xref
      \(root) 1
      \(String(repeating: "0", count: max(0, 10 - positionText.count)))\(positionText) 00000 n\u{20}
      trailer
      <<\(trailer.1)   /Prev \(table)
      >>
      startxref
      \(document.count + object.utf8.count)
      %%EOF

      """
    return document + Array((object + update).utf8)
  }

  /// The position of an object: the table has a line of 20 bytes for each.
  private static func position(of object: Int, _ table: Int, _ document: [UInt8]) -> Int? {
    guard let head = text(from: table, document).firstMatch(of: /^xref\s+0 \d+\s*?\n/) else { return nil }
    return text(from: table + head.0.utf8.count + 20 * object, document).firstMatch(of: /^(\d{10}) \d{5} n/)
      .flatMap { Int($0.1) }
  }

  private static func text(from position: Int, _ document: [UInt8]) -> String {
    guard document.indices.contains(position) else { return "" }
    return String(decoding: document[position...].prefix(2048), as: UTF8.self)
  }
}
