package import ClipModel

/// An error while a PDF is created.
package enum TablePDFError: ExplainedError, Equatable {
  /// Pango or cairo could not be loaded.
  case libraryMissing(reason: String)
  /// cairo reported an error, such as insufficient memory.
  case failed(reason: String)

  package static let libraryText = ErrorText(
    "pdf.library-missing", "cannot create a PDF", "Pango cannot be loaded: {reason}", .notConfigured)
  package static let failedText = ErrorText("pdf.failed", "cannot create a PDF", "{reason}", .unexpected)

  package var isLibraryMissing: Bool { if case .libraryMissing = self { true } else { false } }

  package var explanation: Explanation {
    switch self {
    case .libraryMissing(let reason): Explanation(Self.libraryText, ["reason": reason])
    case .failed(let reason): Explanation(Self.failedText, ["reason": reason])
    }
  }
}
