/// A problem in a JSON text, and its position.
package struct JSONProblem: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// The text is not JSON. Nothing after it was read.
    case syntax
    /// The text ends inside a value.
    case truncated
    /// The nesting exceeds `JSONReader.depthLimit`.
    case tooDeep
    /// `NaN` or `Infinity`. Reading continues.
    case notFinite
    /// The object already has the key. Reading continues, and the first value is used.
    case duplicateKey
  }

  package var kind: Kind
  /// A phrase: `expected a value, found ","`.
  package var message: String
  /// The position in the text, in bytes.
  package var offset: Int
  /// The JSON path: `rallySegments[3].endTime`; empty at the top.
  package var path: String
}
