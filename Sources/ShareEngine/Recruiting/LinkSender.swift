import ClipModel
import Crypto
import DurableFiles
package import Foundation
import Highlights
package import Recruiting

/// A highlight that the user sends to a coach.
package struct LinkRequest: Equatable, Sendable {
  package var highlight: UUID
  package var coach: Coach
  package var channel: HighlightLink.Channel
  /// The text before the link.
  package var message: String
  /// For how many days the link works.
  package var days: Int

  package init(highlight: UUID, coach: Coach, channel: HighlightLink.Channel, message: String, days: Int) {
    (self.highlight, self.coach, self.channel, self.message, self.days) = (highlight, coach, channel, message, days)
  }
}

/// A link that the backend has stored, and its address, which contains the token.
package struct SentLink: Equatable, Sendable {
  package let link: HighlightLink
  package let address: String
}

extension RecruitingSession {
  /// The ID and the token of a link that the backend may not have stored yet.
  private struct PendingLink: Codable {
    let id: String
    let token: String
  }

  /// Longer than any request, because another process may be sending.
  private static let lockPatience = Duration.seconds(60)

  /// Sends a highlight to a coach: a link, an interaction and the coach's last contact, in one transaction.
  ///
  /// The ID and the token are stored before the request and removed after `confirmed` has returned. The same request after
  /// a lost response or a killed process finds the first link.
  /// - Parameter confirmed: shows the link to the user.
  /// - Throws: `ShareEngineError` if `share.base_url` is not set, or an error of the request.
  package func send(_ request: LinkRequest, confirmed: (SentLink) throws -> Void) async throws {
    guard let base = environment.configuration.shareBaseURL.value else { throw ShareEngineError(.noShareURL) }
    let family = request.coach.familyUnitId
    let places = environment.places
    try await WorkerThread.run("bsc send") { _ in try places.createStateFolders() }
    let path = places.locksFolder + "/recruiting-send.lock"
    guard let lock = try await FileLock.wait(path: path, patience: Self.lockPatience) else {
      throw ShareEngineError(.sendingLocked)
    }
    defer { withExtendedLifetime(lock) {} }
    let secrets = SecretStore(places: places)
    let name = try await secretName(of: request)
    let pending = try await Self.pendingLink(name, in: secrets)
    var address = base.absoluteString
    if address.hasSuffix("/") { address.removeLast() }
    address += "/s/\(pending.token)"
    let sending = HighlightSending(
      id: pending.id, token: pending.token, family: family, highlight: request.highlight.uuidString.lowercased(),
      coach: request.coach.id, channel: request.channel, message: "\(request.message)\n\(address)",
      expiresAt: Date(timeIntervalSinceNow: Double(request.days) * 86_400))
    do {
      let link = try await api.send(sending)
      try confirmed(SentLink(link: link, address: address))
    } catch let error as RecruitingError where error.id != .unreachable && error.id != .unreadableAnswer {
      try await Self.forget(name, in: secrets)
      throw error
    }
    try await Self.forget(name, in: secrets)
  }

  /// The same for the same highlight, coach and channel. A name of a file must not contain them.
  private func secretName(of request: LinkRequest) async throws -> SecretName {
    let parts = [
      try await accountKey(), request.highlight.uuidString.lowercased(), request.coach.id, request.channel.rawValue,
    ]
    let digest = SHA256.hash(data: Data(parts.joined(separator: "\n").utf8))
    return .link(FileDigest.hexadecimal(digest.prefix(16)))
  }

  private static func pendingLink(_ name: SecretName, in secrets: SecretStore) async throws -> PendingLink {
    try await WorkerThread.run("bsc send") { _ in
      if let stored = try secrets.read(name),
        let pending = try? JSONDecoder().decode(PendingLink.self, from: Data(stored.revealed.utf8))
      {
        return pending
      }
      let pending = PendingLink(id: RecruitingAPI.newID(), token: makeToken())
      let text = String(decoding: try JSONEncoder().encode(pending), as: UTF8.self)
      try secrets.write(Secret(text), as: name)
      return pending
    }
  }

  private static func forget(_ name: SecretName, in secrets: SecretStore) async throws {
    try await WorkerThread.run("bsc send") { _ in try secrets.delete(name) }
  }

  /// 192 random bits as base64url.
  private static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }
}
