/// The normalized address of a post. Two addresses are equal if their platform and ID are, because the name of the account in
/// an address can change.
public struct PostAddress: Hashable, Sendable {
  /// The platform of the post.
  public let platform: SocialPlatform
  /// `https://twitter.com/NAME/status/ID` with a lowercase name, or `https://instagram.com/p/CODE`.
  public let text: String

  /// Reads the address of a post. Like `private.clean_post_url` in the database.
  public init(_ address: String, on platform: SocialPlatform) throws(RecruitingError) {
    guard let text = Self.cleaned(address, platform) else {
      throw RecruitingError(.postAddress, ["platform": platform.rawValue, "address": address])
    }
    self.platform = platform
    self.text = text
  }

  /// The platform of an address, for files without a column for it.
  public init(_ address: String) throws(RecruitingError) {
    do throws(RecruitingError) { try self.init(address, on: .twitter) } catch {
      try self.init(address, on: .instagram)
    }
  }

  /// The author's account, which only addresses on X contain. `nil` on Instagram.
  public var author: SocialHandle? {
    guard platform == .twitter, let name = text.split(separator: "/").dropFirst(2).first, name != "i" else {
      return nil
    }
    return try? SocialHandle(String(name), on: .twitter)
  }

  /// The platform's ID of the post.
  public var id: String { String(text[text.index(after: text.lastIndex(of: "/") ?? text.startIndex)...]) }

  /// The website and the ID of the post: `twitter.com/12`. Like `private.post_key` in the database.
  public var key: String { "\(text.split(separator: "/")[1])/\(id)" }

  /// Compares the platforms and the IDs.
  public static func == (left: PostAddress, right: PostAddress) -> Bool { left.key == right.key }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  private static func cleaned(_ address: String, _ platform: SocialPlatform) -> String? {
    guard let scheme = ["https://", "http://"].first(where: address.lowercased().hasPrefix) else { return nil }
    let rest = address.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
    var path = rest.split(separator: "/", omittingEmptySubsequences: false)
    if path.count > 1, path.last?.isEmpty == true { path.removeLast() }
    guard let host = path.first?.lowercased() else { return nil }
    path.removeFirst()
    switch platform {
    case .twitter:
      guard ["x.com", "twitter.com"].contains(host.withoutPrefix(["www.", "mobile.", "m."])) else { return nil }
      if path.count == 4, path[0].lowercased() == "i", path[1].lowercased() == "web" { path.remove(at: 1) }
      guard path.count == 3, path[1].lowercased() == "status", isMade(path[0], 15, of: { $0 == "_" || $0.isASCIIWord }),
        isMade(path[2], 20, of: { $0.isASCIIDigit })
      else { return nil }
      return "https://twitter.com/\(path[0].lowercased())/status/\(path[2])"
    case .instagram:
      guard host.withoutPrefix(["www."]) == "instagram.com" else { return nil }
      if path.count == 3 {
        guard isMade(path[0], 30, of: { $0 == "_" || $0 == "." || $0.isASCIIWord }) else { return nil }
        path.removeFirst()
      }
      guard path.count == 2, ["p", "reel", "tv"].contains(path[0].lowercased()),
        isMade(path[1], 64, of: { $0 == "_" || $0 == "-" || $0.isASCIIWord })
      else { return nil }
      return "https://instagram.com/p/\(path[1])"
    }
  }

  private static func isMade(_ part: Substring, _ limit: Int, of isAllowed: (Character) -> Bool) -> Bool {
    (1...limit).contains(part.utf8.count) && part.allSatisfy(isAllowed)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isWholeNumber) }
}

extension String {
  fileprivate func withoutPrefix(_ prefixes: [String]) -> String {
    prefixes.first(where: hasPrefix).map { String(dropFirst($0.count)) } ?? self
  }

  /// Without spaces and line breaks at both ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
  }
}
