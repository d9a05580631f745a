import ClipModel
import Foundation
import GRDB

/// Splits texts into the words that a search compares.
enum SearchWords {
  /// The code points of the longest tag that finds highlights.
  static let maximumTagLength = 100

  /// The SQL functions `search_words(text)` and `caption_words(caption, tags)`, which return JSON arrays, and
  /// `edit_distance(text, text)`.
  static let sqlFunctions = [
    DatabaseFunction("search_words", argumentCount: 1, pure: true) { values in
      json(words(in: String.fromDatabaseValue(values[0]) ?? ""))
    },
    DatabaseFunction("caption_words", argumentCount: 2, pure: true) { values in
      let tags = String.fromDatabaseValue(values[1]).flatMap(NewRow.texts(in:)) ?? []
      return json(words(ofCaption: String.fromDatabaseValue(values[0]), tags))
    },
    DatabaseFunction("edit_distance", argumentCount: 2, pure: true) { values in
      guard let first = String.fromDatabaseValue(values[0]), let second = String.fromDatabaseValue(values[1]) else {
        return nil
      }
      return editDistance(Array(first.unicodeScalars), Array(second.unicodeScalars))
    },
  ]

  /// Returns the different words of a text in lowercase, sorted. Fullwidth and decomposed letters are equal to ordinary
  /// ones.
  static func words(in text: String) -> [String] {
    let scalars = text.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
    let words = scalars.split { !isLetterOrDigit($0) }.map { String(String.UnicodeScalarView($0.prefix(40))) }
    return Set(words).sorted()
  }

  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns the words of a highlight, and its tags as `#tag`. A caption is complete; of the tags, which could have a
  /// million letters, the first ones are.
  private static func words(ofCaption caption: String?, _ tags: [String]) -> [String] {
    let text = ([caption].compactMap(\.self) + tags).joined(separator: " ")
    let known = words(in: String(String.UnicodeScalarView(text.unicodeScalars.prefix(5000))))
    return known + Set(tags).filter { $0.unicodeScalars.count <= maximumTagLength }.map { "#\($0)" }
  }

  private static func json(_ words: [String]) -> String {
    JSONValue(.array(words.map { JSONValue(.string($0), at: 0) }), at: 0).text
  }

  /// Returns the number of letters to insert, delete or replace (Levenshtein distance).
  static func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = index
      row[0] = index + 1
      for column in second.indices {
        let substitution = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}

/// The words of a search, as SQL statements.
struct SearchQuery: Sendable {
  /// The words to find, at most eight.
  let words: [String]

  init(_ text: String?) {
    words = Array(SearchWords.words(in: String((text ?? "").prefix(200))).prefix(8))
  }

  /// Returns a condition for each word: that one of its meanings is in the table.
  /// - Parameter key: the column of the row's ID in the table of words.
  func conditions(_ id: String, in table: String, key: String, _ statement: inout RowStatement) -> [String] {
    words.map { word in
      "\(id) IN (SELECT \(key) FROM \(table) WHERE word IN (\(Self.meanings(of: word, &statement))))"
    }
  }

  /// Returns a statement that selects what a word can mean: itself if it is known, or else the known words that it
  /// begins, and similar ones with at most two changes.
  private static func meanings(of word: String, _ statement: inout RowStatement) -> String {
    let text = statement.bind(word.databaseValue)
    let isUnknown = "NOT EXISTS (SELECT 1 FROM search_terms WHERE term = \(text))"
    var parts = [
      "SELECT \(text)",
      """
      SELECT term FROM (
        SELECT term FROM search_terms WHERE \(isUnknown) AND term >= \(text) AND term < \(text) || char(1114111)
        ORDER BY term LIMIT 10)
      """,
    ]
    let length = word.unicodeScalars.count
    if length > 3 {
      // Only words with one of the first two letters at their beginning are compared, because it takes time.
      let letters = word.unicodeScalars.prefix(2).map { statement.bind(String($0).databaseValue) }
        .joined(separator: ", ")
      parts.append(
        """
        SELECT term FROM (
          SELECT term, edit_distance(term, \(text)) AS distance FROM search_terms
          WHERE \(isUnknown) AND length(term) BETWEEN \(length - 2) AND \(length + 2)
            AND (substr(term, 1, 1) IN (\(letters)) OR substr(term, 2, 1) IN (\(letters)))
          ORDER BY distance, term LIMIT 5)
        WHERE distance <= \(length < 5 ? 1 : 2)
        """)
    }
    return parts.joined(separator: " UNION ")
  }
}
