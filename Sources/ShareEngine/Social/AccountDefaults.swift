import ClipModel
import Foundation
package import Social

/// The account's settings for new highlights.
extension ShareSession {
  private var social: SocialAPI {
    SocialAPI(
      transport: BackendRowTransport(connection, transport, policy: SocialSession.policy, returnsRateLimit: false)
    ) { [connection] in try await connection.accountID() }
  }

  /// Replaces the default privacy level of a request by the account's, unless the user or the configuration has set one.
  /// - Returns: the account's settings, or `nil` if they are unknown, because no account is signed in or the backend can't be
  ///   reached.
  package func applyAccountSettings(to request: inout ShareRunRequest) async -> AccountSettings? {
    let setting = environment.configuration.privacy
    guard connection.kind != .mux, !request.isPrivacyGiven, setting.origin == .byDefault else { return nil }
    // The user signs in after the clips are processed.
    if connection.kind == .supabase { guard (try? await connection.author) != nil else { return nil } }
    do {
      let settings = try await social.settings()
      request.clipRequest.privacy = settings.sharePrivacy
      return settings
    } catch {
      report(.note("your account's privacy setting is unknown; new highlights will be \(setting.value.rawValue)"))
      return nil
    }
  }

  /// Records that the user has confirmed who can see the account's first public highlight. Errors are ignored: the user
  /// has to confirm the next share, too.
  package func recordFirstPostConfirmation() async {
    guard var settings = try? await social.settings() else { return }
    settings.firstPostConfirmedAt = Date.now.formatted(.iso8601)
    try? await social.store(settings)
  }
}
