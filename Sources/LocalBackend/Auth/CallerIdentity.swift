import Foundation
import Hummingbird

/// Determines who sent a request.
struct CallerIdentity: Sendable {
  let keys: ServerKeys
  let tokens: AccessTokens
  let store: ServerStore
  let now: @Sendable () -> Date

  /// Authenticates the caller of a request.
  /// - Throws: `PostgRESTFailure` if the token or key is invalid or has expired.
  func caller(of request: Request) async throws -> Caller {
    // Client libraries for legacy keys also send new keys as bearer tokens.
    if let bearer = Self.bearerToken(of: request), !bearer.isEmpty {
      if let caller = caller(ofKey: bearer) { return caller }
      return try await caller(ofToken: bearer)
    }
    guard request.headers[.authorization] == nil else {
      throw PostgRESTFailure(.unauthorized, "PGRST301", "Authorization must be a Bearer token")
    }
    if let key = request.headers.value(of: "apikey"), !key.isEmpty {
      if let caller = caller(ofKey: key) { return caller }
      throw PostgRESTFailure(.unauthorized, "PGRST301", "Invalid API key")
    }
    if request.isForwarded { return .anonymous }
    if try await store.hasAccounts() { return .anonymous }
    return await PeerProcess.current?.isOwnedByOtherUser() == true ? .anonymous : .localUser
  }

  /// Returns the ID of the caller's account.
  /// - Throws: a 401 `BackendFailure` if the caller has no account, as in the Edge Function.
  func user(of request: Request) async throws -> String {
    do {
      if let id = try await caller(of: request).userID { return id }
    } catch is PostgRESTFailure {
      throw BackendFailure(.unauthorized, "unauthorized", "the access token is not valid")
    }
    throw BackendFailure(.unauthorized, "unauthorized", "an access token is required")
  }

  /// Whether a request contains a nonempty token or key. A request without either may act as the local user.
  static func hasCredentials(_ request: Request) -> Bool {
    [bearerToken(of: request), request.headers.value(of: "apikey")].contains { $0?.isEmpty == false }
  }

  static func bearerToken(of request: Request) -> String? {
    guard let value = request.headers[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
    return String(value.dropFirst("bearer ".count)).trimmingCharacters(in: .whitespaces)
  }

  private func caller(ofKey key: String) -> Caller? {
    let roles: [(String, Caller)] = [
      (keys.publishableKey, .anonymous), (keys.anonKey, .anonymous), (keys.secretKey, .service),
      (keys.serviceRoleKey, .service),
    ]
    return roles.first { RandomText.isEqualInConstantTime($0.0, key) }?.1
  }

  private func caller(ofToken token: String) async throws -> Caller {
    let payload: AccessTokens.Payload
    do {
      payload = try await tokens.verify(token, now: now())
    } catch {
      throw Self.failure(error)
    }
    switch payload.role {
    case "authenticated":
      guard let id = payload.sub.flatMap(UUID.init(uuidString:)) else { throw Self.failure(.undecodable) }
      return .user(id.uuidString.lowercased())
    case "service_role": return .service
    default: return .anonymous
    }
  }

  private static func failure(_ error: AccessTokens.VerificationError) -> PostgRESTFailure {
    let (code, message) =
      switch error {
      case .undecodable: ("PGRST301", "No suitable key or wrong key type")
      case .expired: ("PGRST303", "JWT expired")
      case .notYetValid: ("PGRST303", "JWT issued at future")
      }
    return PostgRESTFailure(
      .unauthorized, code, message,
      headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\", error_description=\"\(message)\""])
  }
}

extension Request {
  /// Whether a proxy forwarded the request. A proxy on this machine connects for visitors, so the account of its process
  /// isn't the caller's.
  var isForwarded: Bool {
    ["x-forwarded-for", "forwarded", "via"].contains { headers.value(of: $0) != nil }
  }
}
