import Foundation

extension BackendConnection {
  /// A text that identifies the account and its backend in files. Signs the user in if necessary.
  func accountKey(_ configuration: Configuration) async throws -> String {
    let backend = kind == .supabase ? configuration.supabaseURL.value?.absoluteString ?? "" : kind.rawValue
    return "\(backend) \(try await accountID().uuidString.lowercased())"
  }
}
