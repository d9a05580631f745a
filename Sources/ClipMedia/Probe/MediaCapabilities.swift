package import ClipModel
import LibAV

/// What the installed media libraries can do for bsc.
package enum MediaCapabilities {
  /// Everything the pipeline needs, each looked up in the libraries that are loaded now.
  package static var current: [MediaCapability] { LoadedLibraries.capabilities }

  /// Each hardware encoder that this system could have, tried on two pictures.
  package static func hardware() async throws -> [MediaCapability] {
    try await MediaThread.run(named: "bsc hardware") { _ in
      let settings = Encoder.VideoSettings(
        layout: PictureLayout(
          width: 1280, height: 720, pixelFormat: .yuv420p, matrix: .bt709, transfer: .bt709, primaries: .bt709,
          isFullRange: false, chromaLocation: .left), timeBase: Rational(1, 30),
        frameRate: Rational(30, 1), constantRateFactor: 21, keyFrameInterval: 60, preset: EncoderRecipe.preset)
      return HardwareEncoders.candidates.map { name in
        let (working, failures) = HardwareEncoders.working(for: settings, among: [name])
        let why = failures.first.map { String($0.dropFirst(name.count + 2)) } ?? ""
        return MediaCapability(
          name: "encoder \(name)", isAvailable: working != nil, neededFor: "--hardware",
          detail: working == nil ? "not here (\(why)); x264 does its work" : "works", remedy: "")
      }
    }
  }
}
