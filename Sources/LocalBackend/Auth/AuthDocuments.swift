import Foundation

/// The answer to a sign-in, as GoTrue's.
struct SessionDocument: Encodable {
  var accessToken: String
  var tokenType = "bearer"
  var expiresIn = AccessTokens.lifetimeSeconds
  var expiresAt: Int64
  var refreshToken: String
  var user: UserDocument
}

/// An account as clients see it.
struct UserDocument: Encodable {
  struct AppMetadata: Encodable {
    var provider = "email"
    var providers = ["email"]
  }

  var id: String
  var aud = "authenticated"
  var role = "authenticated"
  var email: String?
  var newEmail: String?
  var emailConfirmedAt: String
  var lastSignInAt: String?
  var appMetadata = AppMetadata()
  var userMetadata: [String: MetadataValue]
  var identities: [IdentityDocument]
  var createdAt: String
  var updatedAt: String
  var isAnonymous = false

  init(_ user: AuthUser) {
    id = user.id
    email = user.email
    newEmail = user.newEmail
    emailConfirmedAt = user.createdAt
    lastSignInAt = user.lastSignInAt
    userMetadata =
      (try? JSONDecoder().decode([String: MetadataValue].self, from: Data(user.rawUserMetaData.utf8))) ?? [:]
    identities = IdentityDocument(user).map { [$0] } ?? []
    createdAt = user.createdAt
    updatedAt = user.lastSignInAt ?? user.createdAt
  }
}

/// Any JSON value.
indirect enum MetadataValue: Codable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([MetadataValue])
  case object([String: MetadataValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([MetadataValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: MetadataValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}
