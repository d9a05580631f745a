import ClipModel
import GRDB
import Social

/// The names in captions and comments that can become rows of the table `mentions`.
enum MentionedNames {
  /// The SQL function `mentioned_names(text)`, which returns a JSON array.
  static let sqlFunction = DatabaseFunction("mentioned_names", argumentCount: 1, pure: true) { values in
    let names = find(in: String.fromDatabaseValue(values[0]) ?? "")
    return JSONValue(.array(names.map { JSONValue(.string($0), at: 0) }), at: 0).text
  }

  /// Returns the first 20 usernames in lowercase, sorted.
  static func find(in text: String) -> [String] { TextParser.mentions(in: text).prefix(20).sorted() }
}
