public import Foundation
import Synchronization

extension ServerAddress {
  /// Creates a link that signs in the first browser that opens it as the owner. The link can be used once and is valid
  /// for five minutes.
  /// - Parameters:
  ///   - path: the path to open after signing in: `/`, `/h/…`.
  ///   - now: the time at which the five minutes start.
  public func ownerSignInURL(to path: String, now: Date = Date()) -> URL {
    let key = OwnerSignInKey.make(ownerToken: ownerToken, now: now)
    return baseURL.appending(path: "enter").appending(queryItems: [
      URLQueryItem(name: "key", value: key), URLQueryItem(name: "next", value: path),
    ])
  }
}

/// A one-time key that proves access to `server.json` without revealing the token in that file.
enum OwnerSignInKey {
  private static let lifetimeSeconds: Int64 = 300

  static func make(ownerToken: String, now: Date) -> String {
    let end = Int64(now.timeIntervalSince1970) + lifetimeSeconds
    let name = RandomText.identifier()
    return "\(end).\(name).\(proof(end, name, ownerToken))"
  }

  /// - Returns: the key's name and expiry (Unix seconds); `nil` for an invalid key.
  static func read(_ text: String, ownerToken: String, now: Date) -> (name: String, end: Int64)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let end = decimal(parts[0]), end >= Int64(now.timeIntervalSince1970),
      RandomText.isEqualInConstantTime(proof(end, String(parts[1]), ownerToken), String(parts[2]))
    else { return nil }
    return (String(parts[1]), end)
  }

  private static func proof(_ end: Int64, _ name: String, _ ownerToken: String) -> String {
    RandomText.proof(of: "enter \(end) \(name)", secret: ownerToken, byteCount: 32)
  }
}

/// The keys that have been used. Expired ones are removed.
final class UsedKeys: Sendable {
  private let ends = Mutex<[String: Int64]>([:])

  /// - Returns: whether this is the first use.
  func use(_ name: String, until end: Int64, now: Date) -> Bool {
    ends.withLock { ends in
      ends = ends.filter { $0.value >= Int64(now.timeIntervalSince1970) }
      return ends.updateValue(end, forKey: name) == nil
    }
  }
}
