import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct ConfigurationEntriesTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  private func entries(_ environment: [String: String]) throws -> [String: ConfigurationEntry] {
    let configuration = try Configuration(environment: environment, workingFolder: home.path, places: places)
    return Dictionary(uniqueKeysWithValues: configuration.entries.map { ($0.key, $0) })
  }

  @Test func defaultsMatchTheDocumentation() throws {
    let values = try entries([:]).mapValues(\.value)
    let expected: [String: String?] = [
      "backend": "local", "supabase.url": nil, "supabase.key": nil, "mux.token_id": nil, "mux.token_secret": nil,
      "share.base_url": nil, "sync.x_token": nil, "sync.x_url": "https://api.x.com", "sync.instagram_token": nil,
      "sync.instagram_account": "0", "sync.instagram_url": "https://graph.facebook.com/v23.0",
      "mux.url": "https://api.mux.com", "mux.stream_url": "https://stream.mux.com",
      "mux.player_url": "https://player.mux.com",
      "mux.image_url": "https://image.mux.com", "mux.video_quality": "account",
      "local.port": "7437", "upload.chunk_size": "8MiB", "upload.retry_seconds": "600", "quality": "21",
      "effort": "fast", "poster.at": "2", "share.privacy": "public", "upload.limit_rate": "0", "upload.jobs": "2",
      "network.http": "auto", "network.cacert": nil,
      "network.addresses": "any", "network.stall_seconds": "60", "upload.deadline": "kept", "upload.stream": "auto",
    ]
    #expect(values == expected)
  }

  @Test func entriesHaveTheirOrigin() throws {
    let entries = try entries(["BSC_POSTER_AT": "1.5"])
    #expect(entries["poster.at"]?.value == "1.5")
    #expect(entries["poster.at"]?.origin == "BSC_POSTER_AT")
    #expect(entries["quality"]?.origin == "default")
    #expect(entries["quality"]?.environment == "BSC_QUALITY")
  }

  /// The shown value of a setting is also a valid input.
  @Test(arguments: [
    "BSC_BACKEND=mux", "BSC_MUX_URL=http://127.0.0.1:7437", "BSC_MUX_STREAM_URL=http://127.0.0.1:7437/stream",
    "BSC_MUX_VIDEO_QUALITY=basic",
    "BSC_SUPABASE_URL=https://example.supabase.co", "BSC_LOCAL_PORT=8080",
    "BSC_UPLOAD_CHUNK_SIZE=768KiB", "BSC_UPLOAD_LIMIT_RATE=1MiB", "BSC_UPLOAD_LIMIT_RATE=400kB",
    "BSC_UPLOAD_LIMIT_RATE=0", "BSC_NETWORK_CACERT=/etc/ca.pem",
    "BSC_NETWORK_ADDRESSES=ipv6", "BSC_NETWORK_STALL_SECONDS=5", "BSC_UPLOAD_DEADLINE=server", "BSC_QUALITY=18.5",
    "BSC_SHARE_PRIVACY=followers_only", "BSC_SHARE_BASE_URL=https://clips.example.org",
    "BSC_SYNC_INSTAGRAM_ACCOUNT=17841400000000000",
  ])
  func shownValuesMatchTheInput(assignment: String) throws {
    let parts = assignment.split(separator: "=").map(String.init)
    #expect(try entries([parts[0]: parts[1]]).values.first { $0.origin == parts[0] }?.value == parts[1])
  }

  @Test(arguments: [
    "BSC_SUPABASE_KEY", "BSC_MUX_TOKEN_ID", "BSC_MUX_TOKEN_SECRET", "BSC_SYNC_X_TOKEN", "BSC_SYNC_INSTAGRAM_TOKEN",
  ])
  func secretsAreNeverShown(name: String) throws {
    let configuration = try Configuration(
      environment: [name: "s3cret-value"], workingFolder: home.path, places: places)
    var dumped = ""
    dump(configuration, to: &dumped)
    let json = String(decoding: try JSONEncoder().encode(configuration.entries), as: UTF8.self)
    #expect(configuration.entries.contains { $0.value == "(hidden)" && $0.origin == name })
    for text in [dumped, json, "\(configuration)", String(reflecting: configuration)] {
      #expect(!text.contains("s3cret"))
    }
    let error = #expect(throws: ShareEngineError.self) {
      _ = try Configuration(environment: [name: "s3cret with space"], workingFolder: home.path, places: places)
    }
    #expect(error.map { "\($0) \($0.explanation)" }?.contains("s3cret") == false)
  }
}
