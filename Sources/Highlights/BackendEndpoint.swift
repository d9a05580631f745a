/// The base URLs of a backend, and the headers that every request carries.
///
/// Local: `http://127.0.0.1:PORT` and `http://127.0.0.1:PORT/rest/v1`. Supabase:
/// `https://REF.supabase.co/functions/v1` and `https://REF.supabase.co/rest/v1`.
public struct BackendEndpoint: Equatable, Sendable {
  /// The base URL of `/uploads`, with or without a trailing slash.
  public var functionsURL: String
  /// The base URL of the tables.
  public var restURL: String
  /// The headers `apikey` and `Authorization`. Their values are secret.
  public var headers: [String: String]

  public init(functionsURL: String, restURL: String, headers: [String: String] = [:]) {
    self.functionsURL = functionsURL
    self.restURL = restURL
    self.headers = headers
  }

  /// A local backend: `bsc serve`, or `LocalServer` of the library LocalBackend.
  /// - Parameters:
  ///   - baseURL: `http://127.0.0.1:PORT`, without a path.
  ///   - token: the server's access token, a secret.
  public static func local(baseURL: String, token: String) -> BackendEndpoint {
    BackendEndpoint(
      functionsURL: baseURL, restURL: join(baseURL, "rest/v1"), headers: ["Authorization": "Bearer \(token)"])
  }

  /// Resolves a URL against the functions base URL. Upload URLs in tickets may be relative.
  ///
  /// `/uploads/1/data` is appended to the base URL, not to its host, because the base URL may have a path.
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
