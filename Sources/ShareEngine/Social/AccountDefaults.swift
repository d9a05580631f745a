import ClipModel
import Foundation
import Social

extension SocialAPI {
  /// Returns the privacy level that the account's settings have for new highlights, or `nil` if the backend refuses to
  /// return settings, for example because it has no such table.
  /// - Throws: `SocialError` if the backend can't be reached.
  func sharePrivacy() async throws -> PrivacyLevel? {
    do { return try await settings().sharePrivacy } catch let error as SocialError
      where error.explanation.category != .remote
    { return nil }
  }
}

extension ShareRunRequest {
  /// Whether the user has to confirm who can see the highlights, because they may be the account's first public ones.
  /// This isn't necessary if the user set the privacy level, or on the local backend and Mux.
  /// - Parameter readSettings: returns the account's settings, or `nil` if they are unknown. Not called if they don't
  ///   matter.
  func isFirstPublicPost(on backend: BackendKind, readSettings: () async -> AccountSettings?) async -> Bool {
    guard backend == .supabase, !isPrivacyGiven, clipRequest.privacy == .everyone else { return false }
    let settings = await readSettings()
    let isPublic = clipRequest.usesAccountPrivacy != true || settings?.sharePrivacy ?? .everyone == .everyone
    return isPublic && settings?.firstPostConfirmedAt == nil
  }
}

/// The confirmation of the account's first public highlight.
extension ShareSession {
  /// Whether the user has to confirm who can see the request's highlights, because they may be the account's first public
  /// ones.
  package func isFirstPublicPost(_ request: ShareRunRequest) async -> Bool {
    await request.isFirstPublicPost(on: environment.configuration.backend.value) { await accountSettings() }
  }

  /// Returns the account's settings, or `nil` if they are unknown, because no account is signed in or the backend can't be
  /// reached. The user isn't asked to sign in before the clips are processed.
  private func accountSettings() async -> AccountSettings? {
    guard (try? await connection.author) != nil else { return nil }
    return try? await social.settings()
  }

  /// Records that the user has confirmed who can see the account's first public highlight. Errors are ignored: the user
  /// has to confirm the next share, too.
  package func recordFirstPostConfirmation() async {
    guard var settings = try? await social.settings() else { return }
    settings.firstPostConfirmedAt = Date.now.formatted(.iso8601)
    try? await social.store(settings)
  }
}
