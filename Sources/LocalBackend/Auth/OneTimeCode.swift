import Foundation

/// A six-digit code that is sent to an address. It can be used once and is valid for an hour.
struct OneTimeCode: Sendable {
  enum Purpose: String, Sendable {
    case recovery
    case reauthentication
    /// Changing the address requires a code from the current address and one from the new address.
    case currentEmail = "email_change_current"
    case newEmail = "email_change_new"

    /// GoTrue's name for the kind of mail.
    var mailType: String { self == .currentEmail || self == .newEmail ? "email_change" : rawValue }
  }

  static let lifetimeSeconds = 3600.0
  /// The minimum time between two mails with the same purpose, which is the default of hosted projects.
  static let pauseSeconds = 60.0
  /// The number of wrong guesses after which a code becomes invalid.
  static let maximumAttempts = 10

  let purpose: Purpose
  /// The address in lowercase.
  let address: String
  let digits: String

  init(_ purpose: Purpose, to address: String) {
    self.purpose = purpose
    self.address = address
    digits = String(String(Int.random(in: 1_000_000..<2_000_000)).dropFirst())
  }

  /// The stored form of the code. Clients may send it instead of the address and the digits (`token_hash`).
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
