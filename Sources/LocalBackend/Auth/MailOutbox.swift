import DurableFiles
import Foundation

/// A message that a project's mail server would send.
struct Mail: Codable, Sendable {
  var to: String
  /// `recovery`, `reauthentication` or `email_change`.
  var type: String
  var code: String
  var tokenHash: String
  var sentAt: String
  var expiresAt: String

  enum CodingKeys: String, CodingKey {
    case to, type, code
    case tokenHash = "token_hash"
    case sentAt = "sent_at"
    case expiresAt = "expires_at"
  }
}

/// `mails.jsonl` of the data folder, readable by its owner alone: a JSON object per message, the newest last. Nothing is
/// sent anywhere.
actor MailOutbox {
  private static let mostLines = 100
  private static let sizeLimit = 256 * 1024

  private let path: String

  init(path: String) { self.path = path }

  func append(_ mails: [Mail]) async throws {
    let lines = try mails.map { try JSONEncoder.data(of: $0) }
    try await blocking { [path] in
      let known = try PrivateFile.read(path, limit: Self.sizeLimit) ?? Data()
      let all = known.split(separator: 0x0A).map { Data($0) } + lines
      try PrivateFile.write(Data(all.suffix(Self.mostLines).flatMap { $0 + [0x0A] }), to: path)
    }
  }
}
