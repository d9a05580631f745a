import Foundation

/// Upload URLs are credentials, so errors must not repeat server responses that contain them.
enum UploadURL {
  /// Removes the URL, its path, its query and their values from a string, in all common escaped forms.
  static func redact(_ url: String, in text: String) -> String {
    guard let parts = URLComponents(string: url) else { return text }
    let values = (parts.queryItems ?? []).compactMap(\.value) + parts.path.split(separator: "/").map(String.init)
    let names = [url, parts.percentEncodedQuery, parts.query, parts.percentEncodedPath, parts.path].compactMap(\.self)
    // Short values are ordinary words such as `upload`.
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
