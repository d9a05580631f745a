/// How an account signs in, as GoTrue lists it: by email here, once for each account that has an address.
struct IdentityDocument: Encodable {
  struct Facts: Encodable {
    var sub: String
    var email: String
    var emailVerified = true
    var phoneVerified = false
  }

  /// The account's id: there is one identity for each account.
  var identityId: String
  /// Of the account at the provider.
  var id: String
  var userId: String
  var identityData: Facts
  var provider = "email"
  var email: String
  var lastSignInAt: String?
  var createdAt: String
  var updatedAt: String

  /// - Returns: `nil` for the built-in user, which has no address.
  init?(_ user: AuthUser) {
    guard let address = user.email else { return nil }
    (identityId, id, userId) = (user.id, user.id, user.id)
    identityData = Facts(sub: user.id, email: address)
    email = address
    lastSignInAt = user.lastSignInAt
    createdAt = user.createdAt
    updatedAt = user.lastSignInAt ?? user.createdAt
  }
}
