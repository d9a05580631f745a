package import Foundation

/// Validates webhook URLs. They must point to this machine, so that the server can't send clip names to other machines.
package enum WebhookAddress {
  /// Parses a webhook URL.
  /// - Returns: `nil` unless the string is an `http` or `https` URL on this machine.
  package static func url(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.user == nil, url.password == nil, let host = url.host(percentEncoded: false)?.lowercased()
    else { return nil }
    return isLocalHost(host) ? url : nil
  }

  private static func isLocalHost(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
