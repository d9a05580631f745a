package import ClipModel
package import Foundation
package import LibCurl

/// An account that somebody wants to be gone, as its row says. The backend deletes it by itself, after days of grace.
package struct AccountDeletion: Codable, Equatable, Sendable {
  /// ISO 8601 with zone.
  package var requestedAt: String
  package var deletesAt: String

  enum CodingKeys: String, CodingKey {
    case requestedAt = "requested_at"
    case deletesAt = "deletes_at"
  }

  /// The end, for a person: `2026-11-29 12:00 UTC`; as the backend wrote it when it is no date.
  package var end: String {
    let formats = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    guard let date = formats.lazy.compactMap({ try? Date(deletesAt, strategy: $0) }).first else { return deletesAt }
    let text = date.formatted(.iso8601)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}

/// The account of whoever is signed in, over PostgREST: `profiles` and `account_deletions`.
///
/// Everything throws `HighlightsError`, or what the endpoint throws.
package struct AccountAPI: Sendable {
  private let client: BackendClient
  private let user: String

  private static let columns = "requested_at,deletes_at"

  /// - Parameters: as of `HighlightsAPI`.
  package init(
    user: UUID, transport: any HTTPTransport, policy: RetryPolicy = .brief,
    clock: any Clock<Duration> = ContinuousClock(),
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    self.user = user.uuidString.lowercased()
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: policy, clock: clock, generator: SystemRandomNumberGenerator())
  }

  /// `nil` for an account without a profile.
  package func username() async throws -> String? {
    let profiles: [Profile] = try await client.value(
      BackendCall(operation: "read the profile", .get, .rest("profiles?select=username&id=eq.\(user)")))
    return profiles.first?.username
  }

  /// `nil` when nobody asked for it.
  package func deletion() async throws -> AccountDeletion? {
    let rows: [AccountDeletion] = try await client.value(
      BackendCall(
        operation: "read whether the account is to be deleted",
        .get, .rest("account_deletions?select=\(Self.columns)&user_id=eq.\(user)")))
    return rows.first
  }

  /// One that was asked for before stays as it is.
  package func requestDeletion() async throws -> AccountDeletion {
    var call = BackendCall(
      operation: "delete the account", .post, .rest("account_deletions?select=\(Self.columns)"),
      body: try BackendCall.json(["user_id": user]))
    call.headers["Prefer"] = "return=representation"
    do {
      let rows: [AccountDeletion] = try await client.value(call)
      if let row = rows.first { return row }
    } catch HighlightsError.alreadyRegistered {
      // There is a row: an earlier one, or ours whose answer was lost.
    }
    guard let row = try await deletion() else {
      throw HighlightsError.unreadableAnswer(operation: call.operation, reason: "there is no row of it")
    }
    return row
  }

  /// The account stays; one that nobody wants to be gone does, too.
  package func cancelDeletion() async throws {
    try await client.accepted(
      BackendCall(operation: "keep the account", .delete, .rest("account_deletions?user_id=eq.\(user)")))
  }

  private struct Profile: Decodable {
    var username: String
  }
}
