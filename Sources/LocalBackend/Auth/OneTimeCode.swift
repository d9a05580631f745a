import Foundation

/// Six digits that are sent to an address, good once and for an hour.
struct OneTimeCode: Sendable {
  enum Purpose: String, Sendable {
    case recovery
    case reauthentication
    /// A change of address needs one code from each side.
    case currentEmail = "email_change_current"
    case newEmail = "email_change_new"

    /// GoTrue's name of the mail.
    var mailType: String {
      switch self {
      case .recovery, .reauthentication: rawValue
      case .currentEmail, .newEmail: "email_change"
      }
    }
  }

  static let lifetimeSeconds = 3600.0
  /// Between two mails of one kind: the default of hosted projects.
  static let pauseSeconds = 60.0
  /// Guesses until a code is void.
  static let mostAttempts = 10

  let purpose: Purpose
  /// Lower case.
  let address: String
  let digits: String

  init(_ purpose: Purpose, to address: String) {
    var generator = SystemRandomNumberGenerator()
    self.purpose = purpose
    self.address = address
    digits = String(Int.random(in: 1_000_000..<2_000_000, using: &generator)).dropFirst().description
  }

  /// What is stored, and what clients may send instead of address and digits (`token_hash`).
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
