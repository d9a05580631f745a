/// The name of an account on X or Instagram.
public struct SocialHandle: Hashable, Sendable {
  /// The platform of the account.
  public let platform: SocialPlatform
  /// Without `@`, as the user wrote it. Platforms ignore case.
  public let name: String

  /// Reads a handle with or without `@`, or the address of a profile. `x.com` and `twitter.com` are the same.
  public init(_ text: String, on platform: SocialPlatform) throws(RecruitingError) {
    let trimmed = text.trimmed
    let rules = HandleRules.of(platform)
    var name = try rules.profileName(in: trimmed) ?? trimmed[...]
    if name.first == "@" { name.removeFirst() }
    let facts = ["platform": platform.rawValue, "handle": text]
    guard !name.isEmpty else { throw RecruitingError(.handleEmpty, ["platform": platform.rawValue]) }
    if let character = name.first(where: { !rules.allows($0) }) {
      throw RecruitingError(.handleCharacter, facts.merging(["character": String(character)]) { $1 })
    }
    guard name.utf8.count <= rules.limit else {
      throw RecruitingError(
        .handleLength, facts.merging(["length": "\(name.utf8.count)", "limit": "\(rules.limit)"]) { $1 })
    }
    if name.hasPrefix(".") || name.hasSuffix(".") || name.contains("..") {
      throw RecruitingError(.handleCharacter, facts.merging(["character": "."]) { $1 })
    }
    self.platform = platform
    self.name = String(name)
  }

  /// With `@`, as pages show it.
  public var display: String { "@\(name)" }

  /// The address of the profile, which pages link to.
  public var address: String {
    switch platform {
    case .twitter: "https://twitter.com/\(name)"
    case .instagram: "https://instagram.com/\(name)"
    }
  }

  /// Compares the platforms, and the names without case.
  public static func == (left: SocialHandle, right: SocialHandle) -> Bool {
    left.platform == right.platform && left.name.lowercased() == right.name.lowercased()
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(platform)
    hasher.combine(name.lowercased())
  }
}

/// The rules of a platform for names and addresses.
private struct HandleRules {
  let platform: SocialPlatform
  let hosts: Set<String>
  let limit: Int
  /// First parts of paths that are pages of the platform instead of profiles.
  let pages: Set<String>

  static func of(_ platform: SocialPlatform) -> HandleRules {
    switch platform {
    case .twitter:
      HandleRules(
        platform: platform,
        hosts: [
          "x.com", "www.x.com", "mobile.x.com", "m.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com",
          "m.twitter.com",
        ],
        limit: 15,
        pages: ["home", "i", "search", "explore", "hashtag", "intent", "share", "settings", "login", "notifications"])
    case .instagram:
      HandleRules(
        platform: platform, hosts: ["instagram.com", "www.instagram.com"], limit: 30,
        pages: ["p", "reel", "reels", "tv", "stories", "explore", "accounts", "direct", "about", "developer"])
    }
  }

  func allows(_ character: Character) -> Bool {
    guard let value = character.asciiValue else { return false }
    switch value {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      return true
    case UInt8(ascii: "."): return platform == .instagram
    default: return false
    }
  }

  /// The first part of the path if the text is an address, or `nil` for a plain handle. Without a scheme, only the
  /// platform's hosts make an address, because `team.com` can be a handle on Instagram.
  func profileName(in text: String) throws(RecruitingError) -> Substring? {
    let lowered = text.lowercased()
    let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) ?? ""
    let rest = text.dropFirst(scheme.count)
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let host = parts.first.map { $0.prefix { $0 != "?" && $0 != "#" }.lowercased() } ?? ""
    guard hosts.contains(host) else {
      guard scheme.isEmpty, !text.contains("/") else {
        throw RecruitingError(.handleHost, ["platform": platform.rawValue, "handle": text, "host": host])
      }
      return nil
    }
    let name = parts.count < 2 ? "" : parts[1].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !name.isEmpty, !pages.contains(name.lowercased()) else {
      throw RecruitingError(.handleAddress, ["platform": platform.rawValue, "handle": text])
    }
    return name
  }
}
