/// Where a backend is right now, and what it wants to see in every request.
///
/// Local: `http://127.0.0.1:PORT` and `http://127.0.0.1:PORT/rest/v1`. Supabase:
/// `https://REF.supabase.co/functions/v1` and `https://REF.supabase.co/rest/v1`.
public struct BackendEndpoint: Equatable, Sendable {
  /// Base of `/uploads`; with or without a slash at its end.
  public var functionsURL: String
  /// Base of the tables.
  public var restURL: String
  /// `apikey`, `Authorization`: secrets.
  public var headers: [String: String]

  public init(functionsURL: String, restURL: String, headers: [String: String] = [:]) {
    self.functionsURL = functionsURL
    self.restURL = restURL
    self.headers = headers
  }

  /// A local backend (`bsc serve`, or `LocalServer` of the library LocalBackend).
  /// - Parameters:
  ///   - baseURL: `http://127.0.0.1:PORT`, without a path.
  ///   - token: what lets somebody in: a secret.
  public static func local(baseURL: String, token: String) -> BackendEndpoint {
    BackendEndpoint(
      functionsURL: baseURL, restURL: join(baseURL, "rest/v1"), headers: ["Authorization": "Bearer \(token)"])
  }

  /// The absolute form of a URL that may be relative to the functions base, as upload URLs of tickets may be.
  ///
  /// `/uploads/1/data` is put after the base, not after its host: the base may have a path of its own.
  public func resolve(_ reference: String) -> String {
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    if reference.dropFirst(scheme.count).hasPrefix("://") { return reference }
    return Self.join(functionsURL, reference)
  }

  static func join(_ base: String, _ path: String) -> String {
    let end = base.lastIndex { $0 != "/" }.map { base.index(after: $0) } ?? base.startIndex
    return "\(base[..<end])/\(path.drop { $0 == "/" })"
  }
}
