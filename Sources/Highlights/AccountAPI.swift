package import ClipModel
package import Foundation
package import LibCurl

/// A pending account deletion. The backend deletes the account after a grace period.
package struct AccountDeletion: Codable, Equatable, Sendable {
  /// When the deletion was requested, in ISO 8601 format with a time zone.
  package var requestedAt: String
  package var deletesAt: String

  enum CodingKeys: String, CodingKey {
    case requestedAt = "requested_at"
    case deletesAt = "deletes_at"
  }

  /// The deletion date for display, such as `2026-11-29 12:00 UTC`. If the backend's text isn't a date, it's returned
  /// unchanged.
  package var displayDate: String {
    let formats = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    guard let date = formats.lazy.compactMap({ try? Date(deletesAt, strategy: $0) }).first else { return deletesAt }
    return date.formatted(.iso8601.dateTimeSeparator(.space)).prefix(16) + " UTC"
  }
}

/// Accesses the signed-in user's account through PostgREST: the tables `profiles` and `account_deletions`.
///
/// Every method throws `HighlightsError`, or any error that the endpoint closure throws.
package struct AccountAPI: Sendable {
  private let client: BackendClient
  private let user: String

  private static let columns = "requested_at,deletes_at"

  /// Creates a client. The parameters are the same as those of `HighlightsAPI`.
  package init(
    user: UUID, transport: any HTTPTransport, policy: RetryPolicy = .brief,
    clock: any Clock<Duration> = ContinuousClock(),
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    self.user = user.uuidString.lowercased()
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: policy, clock: clock, generator: SystemRandomNumberGenerator())
  }

  /// Returns the username, or `nil` if the account has no profile.
  package func fetchUsername() async throws -> String? {
    struct Profile: Decodable { var username: String }
    let profiles: [Profile] = try await client.sendAndDecode(
      BackendCall(operation: "read the profile", path: .rest("profiles?select=username&id=eq.\(user)")))
    return profiles.first?.username
  }

  /// Returns the pending deletion, or `nil` if no deletion is pending.
  package func pendingDeletion() async throws -> AccountDeletion? {
    let rows: [AccountDeletion] = try await client.sendAndDecode(
      BackendCall(
        operation: "check for a pending account deletion",
        path: .rest("account_deletions?select=\(Self.columns)&user_id=eq.\(user)")))
    return rows.first
  }

  /// Requests the account's deletion. If a deletion is already pending, its date stays the same.
  package func requestDeletion() async throws -> AccountDeletion {
    let call = BackendCall(
      operation: "delete the account", path: .rest("account_deletions?select=\(Self.columns)"), method: .post,
      headers: ["Prefer": "return=representation"], body: try BackendCall.encodeJSON(["user_id": user]))
    do {
      let rows: [AccountDeletion] = try await client.sendAndDecode(call)
      if let row = rows.first { return row }
    } catch HighlightsError.alreadyRegistered {
      // Either an earlier request created the row, or this request did and its response was lost.
    }
    guard let row = try await pendingDeletion() else {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: "the deletion request is missing")
    }
    return row
  }

  /// Cancels a pending deletion. Does nothing if no deletion is pending.
  package func cancelDeletion() async throws {
    try await client.sendExpectingSuccess(
      BackendCall(
        operation: "cancel the account deletion", path: .rest("account_deletions?user_id=eq.\(user)"), method: .delete))
  }
}
