import Foundation

/// An upload URL is the credential: what others say of it must not repeat it.
enum UploadURL {
  /// The text without the URL, its path, its query and the values in it, however they are escaped.
  static func hidden(_ url: String, in text: String) -> String {
    guard let parts = URLComponents(string: url) else { return text }
    let values = (parts.queryItems ?? []).compactMap(\.value) + parts.path.split(separator: "/").map(String.init)
    let names = [url, parts.percentEncodedQuery, parts.query, parts.percentEncodedPath, parts.path].compactMap(\.self)
    // Short ones are words, as `upload`, or tell nothing.
    let secrets = names + values.filter { $0.count >= 8 }
    let escaped = secrets.flatMap { secret in
      [
        secret, secret.replacing("&", with: "&amp;"),
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
      ]
    }
    return escaped.filter { $0.count > 1 }.sorted { $0.count > $1.count }.reduce(text) { text, secret in
      text.replacing(secret, with: "…")
    }
  }
}
