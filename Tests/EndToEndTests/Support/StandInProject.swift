import Foundation
import ShareEngine
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `bsc serve` process that replaces a Supabase project, and the homes of accounts in it.
struct StandInProject {
  /// The home of the server.
  let place: BSCHome
  let server: ServeProcess
  /// The contents of the server's `keys.json`.
  let keys: [String: String]

  init(_ place: BSCHome) async throws {
    self.place = place
    server = try await ServeProcess(place, ["--password-rounds", "64"])
    let path = try place.places.localBackendFolder + "/keys.json"
    keys = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(filePath: path)))
  }

  var publishableKey: String { get throws { try #require(keys["publishable_key"]) } }

  /// Signs up an account and returns its environment. Its username begins with `user_`.
  func member(_ name: String) async throws -> BSCHome {
    struct Session: Decodable {
      var refreshToken: String
      enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
    }
    let answer = try await post(
      "auth/v1/signup",
      #"{"email":"\#(name)@example.org","password":"volleyball","data":{"full_name":"\#(name)"}}"#,
      key: try publishableKey)
    var home = try BSCHome()
    home.environment["BSC_BACKEND"] = "supabase"
    home.environment["BSC_SUPABASE_URL"] = server.baseURL.absoluteString
    home.environment["BSC_SUPABASE_KEY"] = try publishableKey
    home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = try JSONDecoder().decode(Session.self, from: answer).refreshToken
    home.environment["BSC_MUX_STREAM_URL"] = server.baseURL.absoluteString + "/stream"
    home.environment["BSC_MUX_IMAGE_URL"] = server.baseURL.absoluteString + "/image"
    return home
  }

  /// Sends a request as the service role and returns the body.
  @discardableResult
  func postAsService(_ path: String, _ body: String) async throws -> Data {
    try await post(path, body, key: try #require(keys["secret_key"]))
  }

  private func post(_ path: String, _ body: String, key: String) async throws -> Data {
    var request = URLRequest(url: server.baseURL.appending(path: path))
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue(key, forHTTPHeaderField: "apikey")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    try #require((200..<300).contains(status), "\(path): \(status) \(String(decoding: data, as: UTF8.self))")
    return data
  }
}
