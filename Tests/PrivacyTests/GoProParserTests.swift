import Foundation
import Privacy
import TestSupport
import Testing

/// GoPro's parser reads the kept motion data. `Scripts/test --all` installs its Python wrapper.
@Suite(.enabled(if: GoProParser.isInstalled)) struct GoProParserTests {
  @Test func keepsMotionAndRemovesPositions() async throws {
    let folder = try ScratchFolder()
    var paths: [String] = []
    for carrier in LocationCarrierFile.all where ["gopro-gps5", "gopro-gps9"].contains(carrier.name) {
      paths.append(try carrier.write(to: folder))
    }
    if let camera = SharedMedia.path("gopro-hero5-karma-gpmf-480p-12s.mp4") { paths.append(camera) }
    #expect(paths.count >= 2)
    for (index, path) in paths.enumerated() {
      let out = folder.path("motion-\(index).mp4")
      var options = StripOptions()
      options.keepsMotion = true
      _ = try await Stripper.strip(source: path, destination: out, options: options)
      let (before, after) = (try GoProParser.streams(of: path), try GoProParser.streams(of: out))
      let positions: Set = ["GPS5", "GPS9", "GPSU", "GPSF", "GPSP", "GPSA", "GPRI", "GLPI", "BPOS"]
      #expect(positions.isDisjoint(with: after.keys))
      #expect(!positions.isDisjoint(with: before.keys))
      let motion = before.keys.filter { ["ACCL", "GYRO", "MAGN", "ATTD", "SIMU", "VFRH"].contains($0) }
      #expect(!motion.isEmpty)
      for key in motion { #expect(after[key] == before[key], "\(key)") }
    }
  }
}

/// Runs `Scripts/gpmf-check` with the Python that has the parser.
enum GoProParser {
  static let python = ProcessInfo.processInfo.environment["BSC_GPMF_PYTHON"]

  static let isInstalled: Bool = {
    if python != nil { return true }
    print("SKIPPED: only Scripts/test --all installs GoPro's parser (BSC_GPMF_PYTHON)")
    return false
  }()

  /// The number of samples of each stream, by its key.
  static func streams(of path: String) throws -> [String: Int] {
    let script = SharedMedia.packageFolder + "/Scripts/gpmf-check"
    let output = try Tool.run("env", [python ?? "python3", script, path])
    var streams: [String: Int] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2, let count = Int(parts[1]) { streams[String(parts[0])] = count }
    }
    return streams
  }
}
