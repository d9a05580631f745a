#if Recruiting
package import ClipModel
import Crypto
import DurableFiles
package import Foundation
import Highlights
package import Recruiting

/// A highlight that the user sends to a coach.
package struct LinkRequest: Equatable, Sendable {
  package var highlight: UUID
  /// The ID of the coach's family.
  package var family: String
  /// The ID of the coach.
  package var coach: String
  package var channel: HighlightLink.Channel
  /// The text before the link.
  package var message: String
  /// For how many days the link works.
  package var days: Int

  package static let defaultDays = 90

  /// - Parameter message: the text before the link, or `nil` for the caption.
  package init(
    _ highlight: Highlight, family: String, coach: String, channel: HighlightLink.Channel, message: String? = nil,
    days: Int = defaultDays
  ) {
    (self.highlight, self.family, self.coach, self.channel) = (highlight.id, family, coach, channel)
    self.message = message ?? highlight.caption ?? "My highlight"
    self.days = days
  }
}

/// A link that the backend has stored.
package struct SentLink: Equatable, Sendable {
  package let link: HighlightLink
  /// The address, which contains the token. `nil` for a link that was sent before, because the backend stores only the
  /// token's hash.
  package let address: String?
}

/// The result of a request to send a highlight.
package struct LinkOutcome: Sendable {
  package let request: LinkRequest
  /// The link, or why the backend rejects the request.
  package let result: Result<SentLink, RecruitingError>
}

extension RecruitingSession {
  /// The ID and the token of a link that the backend may not have stored yet.
  private struct PendingLink: Codable {
    let id: String
    let token: String
  }

  /// Longer than any request, because another process may be sending.
  private static let lockTimeout = Duration.seconds(60)

  /// Sends a highlight to coaches of one family: for each a link, an interaction and the last contact, in one transaction.
  ///
  /// The IDs and the tokens are stored before the requests and removed after `confirmed` has returned. The same requests
  /// after a lost response or a killed process find the first links.
  /// - Parameters:
  ///   - isOnce: whether a coach to whom the highlight was already sent in this way gets no further link.
  ///   - confirmed: shows the links to the user.
  /// - Returns: the value of `confirmed`.
  /// - Throws: `ShareEngineError` if links have no public address, or an error of a request that can succeed later.
  package func send<Value>(
    _ requests: [LinkRequest], isOnce: Bool = false, confirmed: ([LinkOutcome]) async throws -> Value
  ) async throws -> Value {
    let base = try await requireBaseURL()
    let places = environment.places
    try await WorkerThread.run("bsc send") { _ in try places.createStateFolders() }
    let path = places.locksFolder + "/recruiting-send.lock"
    guard let lock = try await FileLock.wait(path: path, timeout: Self.lockTimeout) else {
      throw ShareEngineError(.sendingLocked)
    }
    defer { withExtendedLifetime(lock) {} }
    let secrets = SecretStore(places: places)
    var earlier: [HighlightLink] = []
    if isOnce, let family = requests.first?.family { earlier = try await api.links(of: family) }
    var outcomes: [LinkOutcome] = []
    var names: [SecretName] = []
    for request in requests {
      let name = try await secretName(of: request)
      names.append(name)
      do {
        let sent = try await send(request, at: base, as: name, in: secrets, unless: earlier)
        outcomes.append(LinkOutcome(request: request, result: .success(sent)))
      } catch let error as RecruitingError where error.isFinal {
        outcomes.append(LinkOutcome(request: request, result: .failure(error)))
      }
    }
    let value = try await confirmed(outcomes)
    for name in names { try await WorkerThread.run("bsc send") { _ in try secrets.delete(name) } }
    return value
  }

  private func send(
    _ request: LinkRequest, at base: URL, as name: SecretName, in secrets: SecretStore, unless earlier: [HighlightLink]
  ) async throws -> SentLink {
    let stored = try await WorkerThread.run("bsc send") { _ in try Self.pendingLink(name, in: secrets) }
    let highlight = request.highlight.uuidString.lowercased()
    let isSame = { (link: HighlightLink) in
      link.state(at: Date()) == .active && link.highlightId == highlight && link.coachId == request.coach
        && link.channel == request.channel
    }
    if stored == nil, let link = earlier.first(where: isSame) { return SentLink(link: link, address: nil) }
    let pending = if let stored { stored } else { try await Self.makePendingLink(name, in: secrets) }
    let address = HighlightLink.address(at: base, token: pending.token)
    let sending = HighlightSending(
      id: pending.id, token: pending.token, family: request.family, highlight: highlight, coach: request.coach,
      channel: request.channel, message: "\(request.message)\n\(address)",
      expiresAt: Date(timeIntervalSinceNow: Double(request.days) * 86_400))
    let link = try await api.send(sending)
    if link.state(at: Date()) == .active || stored == nil { return SentLink(link: link, address: address) }
    // The response to an earlier request was lost, and its link has ended since.
    try await WorkerThread.run("bsc send") { _ in try secrets.delete(name) }
    return try await send(request, at: base, as: name, in: secrets, unless: earlier)
  }

  /// The public address of links: that of the running server, or else the setting `share.base_url`.
  /// - Throws: `ShareEngineError` if there is none.
  @discardableResult
  func requireBaseURL() async throws -> URL {
    let base = try await connection.publicURL ?? environment.configuration.shareBaseURL.value
    guard let base else { throw ShareEngineError(.noShareURL) }
    return base
  }

  /// The same for the same highlight, coach and channel. A name of a file must not contain them.
  private func secretName(of request: LinkRequest) async throws -> SecretName {
    let parts = [
      try await accountKey(), request.highlight.uuidString.lowercased(), request.coach, request.channel.rawValue,
    ]
    let digest = SHA256.hash(data: Data(parts.joined(separator: "\n").utf8))
    return SecretName(description: "link-" + FileDigest.hexadecimal(digest.prefix(16)))
  }

  private static func pendingLink(_ name: SecretName, in secrets: SecretStore) throws -> PendingLink? {
    try secrets.read(name).flatMap { try? JSONDecoder().decode(PendingLink.self, from: Data($0.revealed.utf8)) }
  }

  private static func makePendingLink(_ name: SecretName, in secrets: SecretStore) async throws -> PendingLink {
    let pending = PendingLink(id: RecruitingAPI.newID(), token: makeToken())
    let text = String(decoding: try JSONEncoder().encode(pending), as: UTF8.self)
    try await WorkerThread.run("bsc send") { _ in try secrets.write(Secret(text), as: name) }
    return pending
  }

  /// 192 random bits as base64url.
  private static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }
}

extension RecruitingError {
  /// Whether the same request would always fail.
  fileprivate var isFinal: Bool { [.rejected, .noInput, .usage].contains(explanation.category) }
}
#endif
