package import Foundation

/// The URLs that are allowed for webhooks. They must be on this machine, so that the server cannot send clip names
/// anywhere else.
package enum WebhookAddress {
  /// - Returns: `nil` unless the text is an `http` or `https` URL on this machine.
  package static func url(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.user == nil, url.password == nil, let host = url.host(percentEncoded: false)?.lowercased()
    else { return nil }
    return isThisMachine(host) ? url : nil
  }

  private static func isThisMachine(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
