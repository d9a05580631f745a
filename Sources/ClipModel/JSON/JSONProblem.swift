/// A problem in a JSON document, and its location.
package struct JSONProblem: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// The document is not valid JSON. The reader stopped at this position.
    case syntax
    /// The document ends inside a value.
    case truncated
    /// The nesting exceeds `JSONReader.depthLimit`.
    case tooDeep
    /// The value is `NaN` or `Infinity`. The reader continues.
    case notFinite
    /// The object already contains the key. The reader continues and keeps the first value.
    case duplicateKey
  }

  package var kind: Kind
  /// The problem as a phrase: `expected a value, found ","`.
  package var message: String
  /// The byte offset in the document.
  package var offset: Int
  /// The JSON path of the value: `rallySegments[3].endTime`; empty for the root.
  package var path: String
}
