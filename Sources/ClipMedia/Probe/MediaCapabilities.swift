package import ClipModel
import LibAV

/// The features that the installed media libraries support.
package enum MediaCapabilities {
  /// The features that the pipeline needs, and whether the loaded libraries support them.
  package static var current: [MediaCapability] { LoadedLibraries.capabilities }

  /// Tests each of this system's hardware encoders with two frames.
  package static func testHardwareEncoders() async throws -> [MediaCapability] {
    try await MediaThread.run(named: "bsc hardware") { _ in
      let settings = Encoder.VideoSettings(
        layout: .video(PictureSize(width: 1280, height: 720)), timeBase: Rational(1, 30), frameRate: Rational(30, 1))
      return HardwareEncoders.candidates.map { name in
        let (working, failures) = HardwareEncoders.findWorking(for: settings, among: [name])
        let why = failures.first.map { String($0.dropFirst(name.count + 2)) } ?? ""
        return MediaCapability(
          .codec, name: "encoder \(name)", isAvailable: working != nil, neededFor: "hardware encoding",
          detail: working == nil ? "not available (\(why)); bsc uses x264 instead" : "works")
      }
    }
  }
}
