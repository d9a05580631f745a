import Highlights
import Testing

@Suite struct BackendEndpointTests {
  @Test(arguments: [
    ("http://127.0.0.1:7437", "/upload/1?token=t", "http://127.0.0.1:7437/upload/1?token=t"),
    ("http://127.0.0.1:7437/", "upload/1", "http://127.0.0.1:7437/upload/1"),
    ("https://x.supabase.co/functions/v1", "/upload/1", "https://x.supabase.co/functions/v1/upload/1"),
    ("http://127.0.0.1:7437", "https://uploads.mux.com/u?token=a:b//c", "https://uploads.mux.com/u?token=a:b//c"),
    ("http://127.0.0.1:7437", "/upload/1?back=http://x", "http://127.0.0.1:7437/upload/1?back=http://x"),
  ]) func relativeURLsAreAppendedToTheFunctionsURL(base: String, reference: String, expected: String) {
    #expect(BackendEndpoint(functionsURL: base, restURL: "").resolveURL(reference) == expected)
  }
}
