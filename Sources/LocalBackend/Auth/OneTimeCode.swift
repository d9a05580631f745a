import Foundation

/// A six-digit code that is sent to an email address. The code can be used once and is valid for one hour.
struct OneTimeCode: Sendable {
  enum Purpose: String, Sendable {
    case recovery
    case reauthentication
    /// The code that is sent to the current address. An address change also requires the code that is sent to the new
    /// address.
    case currentEmail = "email_change_current"
    case newEmail = "email_change_new"

    /// The name of the email type in GoTrue.
    var mailType: String { self == .currentEmail || self == .newEmail ? "email_change" : rawValue }
  }

  static let lifetimeSeconds = 3600.0
  /// The minimum interval in seconds between two emails for the same purpose, as by default in hosted projects.
  static let pauseSeconds = 60.0
  /// The maximum number of wrong guesses before a code, and those that replace it within its lifetime, become invalid.
  static let maximumAttempts = 10

  let purpose: Purpose
  /// The email address, in lowercase.
  let address: String
  let digits: String

  init(_ purpose: Purpose, to address: String) {
    self.purpose = purpose
    self.address = address
    digits = String(String(Int.random(in: 1_000_000..<2_000_000)).dropFirst())
  }

  /// The form in which the code is stored. Clients may send this digest (`token_hash`) instead of the address and the
  /// code.
  func digest(secret: String) -> String { Self.digest(purpose, address, digits, secret: secret) }

  static func digest(_ purpose: Purpose, _ address: String, _ digits: String, secret: String) -> String {
    RandomText.proof(of: "code \(purpose.rawValue) \(address) \(digits)", secret: secret, byteCount: 28)
  }

  func mail(secret: String, now: Date) -> Mail {
    Mail(
      to: address, type: purpose.mailType, code: digits, tokenHash: digest(secret: secret), sentAt: timestampText(now),
      expiresAt: timestampText(now.addingTimeInterval(Self.lifetimeSeconds)))
  }
}
