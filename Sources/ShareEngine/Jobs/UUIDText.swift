package import Foundation

extension UUID {
  /// The first eight digits in lowercase, which identify a job or a highlight in messages.
  package var shortText: String { String(uuidString.lowercased().prefix(8)) }
}
