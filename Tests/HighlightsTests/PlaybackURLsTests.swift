import Highlights
import Testing

@Suite struct PlaybackURLsTests {
  let urls = PlaybackURLs(
    stream: "https://stream.mux.com", image: "https://image.mux.com/", player: "https://player.mux.com")

  /// `mux_playback_id` has either form, depending on the project's configuration.
  @Test(arguments: ["aB0_-x", "https://stream.mux.com/aB0_-x.m3u8"])
  func playbackIDAndStreamURLAreEquivalent(playback: String) {
    #expect(urls.videoURL(playback) == "https://stream.mux.com/aB0_-x.m3u8")
    #expect(urls.pageURL(playback) == "https://player.mux.com/aB0_-x")
    #expect(urls.thumbnailURL(playback) == "https://image.mux.com/aB0_-x/thumbnail.jpg?time=2")
    #expect(urls.animationURL(playback) == "https://image.mux.com/aB0_-x/animated.gif")
  }

  /// The app's uploads, and URLs that only resemble streams.
  @Test(arguments: [
    "https://ref.supabase.co/storage/v1/object/public/videos/u/V.mp4", "https://stream.mux.com/a/b.m3u8",
    "https://stream.mux.com/.m3u8", "https://stream.mux.com.example.org/x.m3u8",
  ])
  func urlOfAnotherServerStaysUnchanged(playback: String) {
    #expect(urls.videoURL(playback) == playback)
    #expect(urls.thumbnailURL(playback) == nil && urls.animationURL(playback) == nil && urls.pageURL(playback) == nil)
  }

  @Test func acceptsAnotherServer() {
    let urls = PlaybackURLs(
      stream: "http://127.0.0.1:7437/stream", image: "http://127.0.0.1:7437/image", player: "http://127.0.0.1:7437/h/")
    #expect(urls.pageURL("p") == "http://127.0.0.1:7437/h/p")
    #expect(urls.videoURL("p") == "http://127.0.0.1:7437/stream/p.m3u8")
    #expect(
      urls.thumbnailURL("http://127.0.0.1:7437/stream/p.m3u8") == "http://127.0.0.1:7437/image/p/thumbnail.jpg?time=2")
  }
}
