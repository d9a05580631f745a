import Foundation
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// `-v`: settings and HTTP requests.
  @Suite struct VerbosityTests {
    @Test func requestsAreLoggedWithoutSecrets() async throws {
      var home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      home.environment["BSC_QUALITY"] = "24"
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_hush"
      let outcome = try await home.run("share", clip, "-v")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.errors.contains(/bsc: POST 127\.0\.0\.1:\d+\/uploads: 20\d, \d+ ms\n/), "\(outcome)")
      // An upload URL is a secret.
      #expect(outcome.errors.contains(/bsc: PUT 127\.0\.0\.1:\d+\/…: 20\d, \d+ ms\n/), "\(outcome)")
      #expect(!outcome.errors.contains("token") && !outcome.errors.contains("hush"), "\(outcome)")
      #expect(outcome.errors.contains("bsc: quality = 24, from BSC_QUALITY\n"), "\(outcome)")
      #expect(outcome.errors.contains("bsc: supabase.key = (hidden), from BSC_SUPABASE_KEY\n"), "\(outcome)")
      let quiet = try await home.run("highlights", "list")
      #expect(!quiet.errors.contains("bsc: "), "\(quiet)")
    }

    @Test(arguments: [
      ("https://x.supabase.co/rest/v1/highlights?select=*", "x.supabase.co/rest/v1/highlights"),
      ("https://storage.googleapis.com/bucket/secret?upload_id=secret", "storage.googleapis.com/…"),
      ("http://user:secret@127.0.0.1:7437/upload/secret?token=secret", "127.0.0.1:7437/…"),
      ("https://secret^", "(a URL)"), ("secret", "(a URL)"),
    ])
    func urlsAreRedacted(url: String, shown: String) { #expect(LoggingTransport.redactURL(url) == shown) }
  }
}
