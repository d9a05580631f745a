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

/// The account of the current session in a Supabase project, or the built-in account of the local backend, with an API
/// for the account's database rows.
package struct SignedInAccount: Sendable {
  /// The project's URL, or `the local backend`.
  package let place: String
  package let api: AccountAPI
  private let userID: UUID
  private let email: String?
  /// The connection to the local backend.
  private let connection: BackendConnection?

  /// - Parameter policy: the policy that determines how long requests are retried.
  /// - Throws: `AuthError.notSignedIn` if there is no session.
  package init(_ environment: EngineEnvironment, policy: RetryPolicy = .brief) async throws {
    if environment.configuration.hasLocalAccount {
      try await self.init(localAccountOf: environment, policy)
    } else {
      try await self.init(SupabaseProject(environment), policy: policy)
    }
  }

  private init(localAccountOf environment: EngineEnvironment, _ policy: RetryPolicy) async throws {
    let transport = try environment.transport()
    let connection = try BackendConnection(environment, transport: transport)
    let user: UUID
    do {
      user = try await connection.accountID()
    } catch {
      await connection.close()
      throw error
    }
    (place, email, userID, self.connection) = ("the local backend", nil, user, connection)
    api = AccountAPI(user: user, transport: transport, policy: policy) { try await connection.endpoint(refused: $0) }
  }

  /// - Throws: `AuthError.notSignedIn` if there is no session.
  package init(_ project: SupabaseProject, policy: RetryPolicy = .brief) async throws {
    guard let user = try await project.signIn.userID() else { throw AuthError.notSignedIn }
    place = project.url
    userID = user
    email = try project.signIn.session()?.email
    connection = nil
    api = AccountAPI(user: user, transport: project.transport, policy: policy) {
      try await project.endpoint(refused: $0)
    }
  }

  package func loadOwner() async throws -> AccountOwner {
    AccountOwner(userID: userID, username: try await api.fetchUsername(), email: email)
  }

  /// Runs `body`, then stops the local backend if this process started it.
  package func runAndClose<Value>(_ body: (SignedInAccount) async throws -> Value) async throws -> Value {
    guard let connection else { return try await body(self) }
    return try await connection.runAndClose { try await body(self) }
  }
}

extension Configuration {
  /// Whether commands about the account use the built-in account of the local backend. A project with a URL or a key is
  /// used without `backend = "supabase"`, too, because `bsc login` signs in there.
  package var hasLocalAccount: Bool {
    backend.value == .local && (backend.origin != .byDefault || (supabaseURL.value == nil && supabaseKey.value == nil))
  }
}
