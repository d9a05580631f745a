/// A backend's base URLs, and the headers for all requests.
///
/// Local backends use `http://127.0.0.1:PORT` and `http://127.0.0.1:PORT/rest/v1`. Supabase uses
/// `https://REF.supabase.co/functions/v1` and `https://REF.supabase.co/rest/v1`.
public struct BackendEndpoint: Equatable, Sendable {
  /// The base URL of `/uploads`, with or without a trailing slash.
  public var functionsURL: String
  /// The base URL of the PostgREST tables.
  public var restURL: String
  /// The `apikey` and `Authorization` headers. Their values are secret.
  public var headers: [String: String]

  /// The base URL of the backend, without a path.
  package var baseURL: String {
    restURL.hasSuffix("/rest/v1") ? String(restURL.dropLast("/rest/v1".count)) : restURL
  }

  var storageURL: String { Self.joinPath(baseURL, "storage/v1") }

  public init(functionsURL: String, restURL: String, headers: [String: String] = [:]) {
    self.functionsURL = functionsURL
    self.restURL = restURL
    self.headers = headers
  }

  /// Creates the endpoint of a local backend: `bsc serve`, or `LocalServer` from the LocalBackend library.
  /// - Parameters:
  ///   - baseURL: the base URL without a path, such as `http://127.0.0.1:PORT`.
  ///   - token: the server's access token, which is a secret.
  public static func localBackend(baseURL: String, token: String) -> BackendEndpoint {
    BackendEndpoint(
      functionsURL: baseURL, restURL: joinPath(baseURL, "rest/v1"), headers: ["Authorization": "Bearer \(token)"])
  }

  /// Resolves a URL against the functions base URL, because the upload URLs in tickets may be relative.
  ///
  /// A path such as `/uploads/1/data` is appended to the entire base URL rather than its host, because the base URL may
  /// contain a path.
  public func resolveURL(_ reference: String) -> String {
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    if reference.dropFirst(scheme.count).hasPrefix("://") { return reference }
    return Self.joinPath(functionsURL, reference)
  }

  static func joinPath(_ base: String, _ path: String) -> String {
    let end = base.lastIndex { $0 != "/" }.map { base.index(after: $0) } ?? base.startIndex
    return "\(base[..<end])/\(path.drop { $0 == "/" })"
  }
}
