public import Foundation
import Synchronization

extension ServerAddress {
  /// Creates a link that signs in a browser as the owner. The link can be used once and is valid for five minutes.
  /// - Parameters:
  ///   - path: the path to open after the sign-in, such as `/` or `/h/…`.
  ///   - now: the start of the five minutes.
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

  /// Validates a key.
  /// - Returns: the key's name and its expiration time in Unix seconds, or `nil` if the key is invalid.
  static func read(_ text: String, ownerToken: String, now: Date) -> (name: String, end: Int64)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let end = parseDecimal(parts[0]), end >= Int64(now.timeIntervalSince1970),
      RandomText.isEqualInConstantTime(proof(end, String(parts[1]), ownerToken), String(parts[2]))
    else { return nil }
    return (String(parts[1]), end)
  }

  private static func proof(_ end: Int64, _ name: String, _ ownerToken: String) -> String {
    RandomText.proof(of: "enter \(end) \(name)", secret: ownerToken, byteCount: 32)
  }
}

/// The keys that have already been used. Expired keys are removed.
final class UsedSignInKeys: Sendable {
  private let ends = Mutex<[String: Int64]>([:])

  /// Marks a key as used.
  /// - Returns: whether the key was unused.
  func markUsed(_ name: String, until end: Int64, now: Date) -> Bool {
    ends.withLock { ends in
      ends = ends.filter { $0.value >= Int64(now.timeIntervalSince1970) }
      return ends.updateValue(end, forKey: name) == nil
    }
  }
}
