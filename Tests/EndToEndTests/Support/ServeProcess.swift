import ClipModel
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A separate `bsc serve` process, which is killed when the value is destroyed.
final class ServeProcess: Sendable {
  let process: BSCProcess
  let baseURL: URL

  private struct Announcement: Decodable {
    var baseURL: URL
  }

  /// Returns when the server accepts connections.
  init(_ home: BSCHome, _ options: [String] = []) async throws {
    process = try home.start(["serve", "--json"] + options)
    var lines = process.outputLines.makeAsyncIterator()
    let line = await lines.next()
    baseURL = try JSONDecoder().decode(Announcement.self, from: Data(try #require(line).utf8)).baseURL
  }

  deinit { process.send(SIGKILL) }

  /// The body of a response with status 200.
  func get(_ path: String) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(from: baseURL.appending(path: path))
    try #require((response as? HTTPURLResponse)?.statusCode == 200, "\(path): \(String(decoding: data, as: UTF8.self))")
    return data
  }
}
