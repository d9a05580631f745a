package import Foundation

extension UUID {
  /// The first eight digits in lowercase. Messages use this short form to identify jobs and highlights.
  package var shortText: String { String(uuidString.lowercased().prefix(8)) }
}
