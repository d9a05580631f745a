import DurableFiles
import Foundation

/// An email that a hosted project would send.
struct Mail: Codable, Sendable {
  var to: String
  /// The type of the email: `recovery`, `reauthentication` or `email_change`.
  var type: String
  var code: String
  var tokenHash: String
  var sentAt: String
  var expiresAt: String
}

/// Writes emails to `mails.jsonl` in the data folder instead of sending them. The file contains one JSON object per
/// line, with the most recent email last. Only its owner can read it.
actor MailOutbox {
  private static let maximumLineCount = 100
  private static let sizeLimit = 256 * 1024

  private let path: String

  init(path: String) { self.path = path }

  func append(_ mails: [Mail]) async throws {
    let lines = try mails.map { try JSONEncoder.data(of: $0) }
    try await runBlocking { [path] in
      let known = try PrivateFile.read(path, limit: Self.sizeLimit) ?? Data()
      let all = known.split(separator: 0x0A).map { Data($0) } + lines
      try PrivateFile.write(Data(all.suffix(Self.maximumLineCount).flatMap { $0 + [0x0A] }), to: path)
    }
  }
}
