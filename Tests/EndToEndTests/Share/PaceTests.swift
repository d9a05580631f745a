import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// `bsc share --pace` stays within the limit that the backend sets.
  @Suite struct PaceTests {
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func paceStaysWithinLimit() async throws {
      let home = try BSCHome()
      let server = try await ServeProcess(home)
      // The limit of the backend: two highlights in four seconds.
      let keys = try JSONDecoder().decode(
        [String: String].self,
        from: Data(contentsOf: URL(filePath: home.places.localBackendFolder + "/keys.json")))
      let address = server.baseURL.absoluteString + "/rest/v1/rate_limits?name=eq.shared_rallies"
      var request = URLRequest(url: try #require(URL(string: address)))
      request.httpMethod = "PATCH"
      request.setValue(keys["secret_key"], forHTTPHeaderField: "apikey")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(#"{"max_count":2,"window_seconds":4}"#.utf8)
      let (_, response) = try await URLSession.shared.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 204)

      let clips = try ["a", "bb", "ccc", "dddd", "eeeee"].map { try home.distinctClip("rally-portrait", named: $0) }
      let paced = await (try home.start(["share"] + clips + ["--pace", "on", "-j", "3"])).outcome()
      home.expectConventions(of: paced)
      #expect(paced.status == 0, "\(paced)")
      #expect(paced.errors.contains(/\b2 \w+ \w+ 4 s;/), "\(paced)")
      // Times of day use 24 hours.
      #expect(paced.errors.contains(/at [012]\d:[0-5]\d\n/), "\(paced)")
      let times = try await home.highlights().map(\.createdAt).sorted().map { text in
        try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      }
      #expect(times.count == 5)
      // No three highlights within four seconds.
      for (first, third) in zip(times, times.dropFirst(2)) { #expect(third.timeIntervalSince(first) > 3.9) }
      // The limit also applies to `bsc cut --share`.
      let match = try CutHome()
      let arguments = [
        "cut", match.match, "--rally", "0-2", "-o", match.home.folder.path("out"), "--share", "--pace", "on",
      ]
      let cut = await (try home.start(arguments)).outcome()
      #expect(cut.status == 0 && cut.errors.contains(/at [012]\d:[0-5]\d\n/), "\(cut)")
      server.process.send(SIGTERM)
      _ = await server.process.outcome()
    }
  }
}
