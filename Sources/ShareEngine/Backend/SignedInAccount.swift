package import ClipModel
package import Foundation
package import Highlights

package struct AccountOwner: Sendable {
  package var userID: UUID
  package var username: String?
  package var email: String?

  /// The most readable name of the account.
  package var name: String { username ?? email ?? userID.uuidString.lowercased() }

  /// Whether a string equals the account's username, email address or ID.
  package func matches(_ text: String) -> Bool {
    let text = text.trimmingCharacters(in: .whitespaces).lowercased()
    return [username, email, userID.uuidString].compactMap { $0?.lowercased() }.contains(text)
  }
}

/// The account of the current session, and an API for the account's database rows.
package struct SignedInAccount: Sendable {
  package let project: SupabaseProject
  package let api: AccountAPI
  private let userID: UUID

  /// - Parameter policy: the policy that determines how long requests are retried.
  /// - Throws: `AuthError.notSignedIn` if there is no session.
  package init(_ project: SupabaseProject, policy: RetryPolicy = .brief) async throws {
    guard let user = try await project.signIn.userID() else { throw AuthError.notSignedIn }
    self.project = project
    userID = user
    api = AccountAPI(user: user, transport: project.transport, policy: policy) {
      try await project.endpoint(refused: $0)
    }
  }

  package func loadOwner() async throws -> AccountOwner {
    AccountOwner(
      userID: userID, username: try await api.fetchUsername(), email: try project.signIn.session()?.email)
  }
}
