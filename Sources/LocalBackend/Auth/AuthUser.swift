import ClipModel
import Foundation
import GRDB

/// A row of the table `auth_users`, which contains the accounts.
struct AuthUser: SnakeCaseRow {
  var id: String
  var email: String?
  /// The requested new address, which hasn't been confirmed yet.
  var newEmail: String?
  var passwordHash: String?
  /// The JSON object from the sign-up request.
  var rawUserMetaData: String
  var createdAt: String
  var lastSignInAt: String?

  static func find(_ id: String, in db: Database) throws -> AuthUser? {
    try fetchOne(db, sql: "SELECT * FROM auth_users WHERE id = ?", arguments: [id])
  }

  static func find(ofSession id: String, in db: Database) throws -> AuthUser? {
    try fetchOne(
      db, sql: "SELECT u.* FROM auth_users AS u JOIN auth_sessions AS s ON s.user_id = u.id WHERE s.id = ?",
      arguments: [id])
  }

  var metadata: JSONValue { JSONReader.read(Array(rawUserMetaData.utf8)).root ?? JSONValue(.object([]), at: 0) }

  /// The account in GoTrue's response format.
  var document: JSONObject {
    let updatedAt = lastSignInAt ?? createdAt
    // Every account with an email address has one identity, whose ID is the account's ID.
    let identities = [email].compactMap(\.self).map { email in
      [
        "identity_id": id, "id": id, "user_id": id, "provider": "email", "email": email,
        "identity_data": ["sub": id, "email": email, "email_verified": true, "phone_verified": false] as JSONObject,
        "last_sign_in_at": lastSignInAt, "created_at": createdAt, "updated_at": updatedAt,
      ] as JSONObject
    }
    return [
      "id": id, "aud": "authenticated", "role": "authenticated", "email": email, "new_email": newEmail,
      "email_confirmed_at": createdAt, "last_sign_in_at": lastSignInAt, "created_at": createdAt,
      "updated_at": updatedAt, "app_metadata": ["provider": "email", "providers": ["email"]] as JSONObject,
      "user_metadata": metadata, "identities": identities, "is_anonymous": false,
    ]
  }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch kind {
    case .null, .notFinite: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number.finiteDouble)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    // Encode a dictionary, because the encoder's key strategy doesn't change dictionary keys.
    case .object(let members):
      try container.encode(Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first })
    }
  }
}
