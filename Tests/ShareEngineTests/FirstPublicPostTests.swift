import ClipModel
import Social
import Testing

@testable import ShareEngine

/// Whether the user has to confirm who can see the account's first public highlight.
@Suite struct FirstPublicPostTests {
  private struct Case: Sendable {
    var backend = BackendKind.supabase
    var privacy = PrivacyLevel.everyone
    var isPrivacyGiven = false
    var usesAccountPrivacy = true
    /// The account's privacy level, or `nil` if the settings are unknown.
    var accountPrivacy: PrivacyLevel? = .everyone
    var isConfirmed = false
    var isFirst: Bool
    var readsSettings = true
  }

  private static let cases: [Case] = [
    Case(isFirst: true), Case(accountPrivacy: nil, isFirst: true), Case(isConfirmed: true, isFirst: false),
    Case(accountPrivacy: .followersOnly, isFirst: false),
    // A level in the settings file replaces the account's.
    Case(usesAccountPrivacy: false, accountPrivacy: .followersOnly, isFirst: true),
    Case(usesAccountPrivacy: false, isConfirmed: true, isFirst: false),
    Case(privacy: .followersOnly, isFirst: false, readsSettings: false),
    Case(isPrivacyGiven: true, isFirst: false, readsSettings: false),
    Case(backend: .local, isFirst: false, readsSettings: false),
    Case(backend: .mux, isFirst: false, readsSettings: false),
  ]

  @Test(arguments: cases.indices) func confirmationIsRequired(index: Int) async {
    let expected = Self.cases[index]
    var request = ShareRunRequest(files: ["a.mp4"], clipRequest: ShareRequest(privacy: expected.privacy))
    request.isPrivacyGiven = expected.isPrivacyGiven
    request.clipRequest.usesAccountPrivacy = expected.usesAccountPrivacy
    var readCount = 0
    let isFirst = await request.isFirstPublicPost(on: expected.backend) {
      readCount += 1
      guard let level = expected.accountPrivacy else { return nil }
      var settings = AccountSettings()
      settings.sharePrivacy = level
      settings.firstPostConfirmedAt = expected.isConfirmed ? "2026-01-02T03:04:05Z" : nil
      return settings
    }
    #expect(isFirst == expected.isFirst && readCount == (expected.readsSettings ? 1 : 0), "\(expected)")
  }
}
