import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import TestSupport
import Testing

/// A separate environment for one test: settings, state, backend and clips in a temporary folder.
struct BSCHome: Sendable {
  let folder: ScratchFolder
  /// The environment variables of all runs; a test may add some.
  var environment: [String: String]

  init() throws {
    let folder = try ScratchFolder()
    self.folder = folder
    // Options of sanitizers are kept, settings of the user are not.
    environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("BSC_") && !name.hasPrefix("XDG_")
    }
    environment["HOME"] = folder.path
    for kind in ["CONFIG", "STATE", "CACHE", "DATA"] {
      environment["XDG_\(kind)_HOME"] = folder.path(kind.lowercased())
    }
    environment["BSC_LOCAL_PORT"] = String(FreePort.next())
    // Even small samples then have several chunks.
    environment["BSC_UPLOAD_CHUNK_SIZE"] = "256KiB"
  }

  // MARK: Runs

  func start(
    _ arguments: [String], reaction: @escaping BSCProcess.Reaction = { _, _ in }
  ) throws -> BSCProcess {
    try BSCProcess(arguments, environment: environment, folder: folder.path, reaction: reaction)
  }

  /// Waits for the end and checks what all runs must do: end in time, explain failures, and print no secret.
  func run(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> BSCProcess.Outcome
  {
    try await run(arguments, sourceLocation: sourceLocation)
  }

  func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> BSCProcess.Outcome
  {
    let outcome = await (try start(arguments)).outcome()
    expectConventions(of: outcome, sourceLocation: sourceLocation)
    return outcome
  }

  func expectConventions(of outcome: BSCProcess.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!outcome.isOverdue, "\(outcome)", sourceLocation: sourceLocation)
    #expect(!(outcome.output + outcome.errors).contains("token="), "\(outcome)", sourceLocation: sourceLocation)
    #expect(
      outcome.status == 0 || outcome.wasKilled || !(outcome.output + outcome.errors).isEmpty, "\(outcome)",
      sourceLocation: sourceLocation)
    // Each group of errors ends with advice.
    let lines = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("{") }
    for (line, following) in zip(lines, lines.dropFirst() + [""]) where line.hasPrefix("error: ") {
      #expect(line.count(where: { $0 == ":" }) >= 2, "\(outcome)", sourceLocation: sourceLocation)
      #expect(
        following.hasPrefix("next: ") || following.hasPrefix("error: "), "\(outcome)", sourceLocation: sourceLocation)
    }
  }

  /// The lines of `highlights list --json`.
  func highlights(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [Highlight] {
    let list = try await run("highlights", "list", "--json", sourceLocation: sourceLocation)
    #expect(list.status == 0, "\(list)", sourceLocation: sourceLocation)
    return try list.output.split(separator: "\n").map { try JSONDecoder().decode(Highlight.self, from: Data($0.utf8)) }
  }

  // MARK: Paths

  var places: ApplicationFolders { get throws { try ApplicationFolders(environment: environment) } }

  /// Every job of the journal, oldest first.
  func jobs() async throws -> [ShareJob] { try await Journal.open(try places).loadAllJobs() }

  /// The path of a highlight's clip in the local backend.
  func storedClip(_ highlight: Highlight) throws -> String {
    try "\(places.localBackendFolder)/assets/\(#require(highlight.muxAssetID))/clip.mp4"
  }

  /// Searches all files of the state folder, except the secrets, for upload URLs.
  func expectNoSecretInState(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let places = try places
    let secrets = Set((try? FileManager.default.contentsOfDirectory(atPath: places.secretsFolder)) ?? [])
    let files = try FileManager.default.subpathsOfDirectory(atPath: places.stateFolder)
    for file in files where !secrets.contains((file as NSString).lastPathComponent) && !file.hasSuffix(".mp4") {
      guard let data = FileManager.default.contents(atPath: "\(places.stateFolder)/\(file)") else { continue }
      #expect(data.range(of: Data("token=".utf8)) == nil, "\(file) holds a secret", sourceLocation: sourceLocation)
    }
  }

  // MARK: Clips

  /// A copy of a sample with its metadata, as `NAME.mp4` and `NAME.json`.
  func clip(_ sample: String, named name: String? = nil) throws -> String {
    let path = folder.path((name ?? sample) + ".mp4")
    try FileManager.default.copyItem(atPath: SharedMedia.sample(sample + ".mp4"), toPath: path)
    let metadata = SharedMedia.sample(sample + ".json")
    if FileManager.default.fileExists(atPath: metadata) {
      try FileManager.default.copyItem(atPath: metadata, toPath: folder.path((name ?? sample) + ".json"))
    }
    return path
  }

  /// A copy of the clip with different bytes: players ignore the additional boxes at its end.
  /// - Parameter subfolder: created if needed.
  func distinctClip(_ sample: String, named name: String, in subfolder: String? = nil) throws -> String {
    let relativePath = subfolder.map { "\($0)/\(name)" } ?? name
    if let subfolder {
      try FileManager.default.createDirectory(atPath: folder.path(subfolder), withIntermediateDirectories: true)
    }
    let path = try clip(sample, named: relativePath)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0, 0, 0, 8]) + Data("free".utf8))
    for _ in name.utf8 { try handle.write(contentsOf: Data([0, 0, 0, 8]) + Data("free".utf8)) }
    try handle.close()
    return path
  }

  /// Writes app metadata with rallies, based on a sample.
  @discardableResult
  func writeMetadata(_ name: String, rallies: [ClosedRange<Double>]) throws -> String {
    let sample = try Data(contentsOf: URL(filePath: SharedMedia.sample("rally-portrait.json")))
    var document = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
    let segment = try #require((document["rallySegments"] as? [[String: Any]])?.first)
    document["rallySegments"] = rallies.map { rally in
      segment.merging(["id": UUID().uuidString, "startTime": rally.lowerBound, "endTime": rally.upperBound]) { $1 }
    }
    document["videoId"] = UUID().uuidString
    let path = folder.path(name)
    try JSONSerialization.data(withJSONObject: document).write(to: URL(filePath: path))
    return path
  }
}

/// A port that is currently unused.
enum FreePort {
  static func next() -> Int {
    let descriptor = socket(AF_INET, streamSocket, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0 else {
          return 7437
        }
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }

  #if canImport(Darwin)
  private static let streamSocket = SOCK_STREAM
  #else
  private static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #endif
}
