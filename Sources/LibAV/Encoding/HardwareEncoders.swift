/// Finds hardware encoders that work on this machine.
public enum HardwareEncoders {
  #if canImport(Darwin)
  public static let candidates = ["h264_videotoolbox"]
  #else
  public static let candidates = ["h264_nvenc", "h264_qsv", "h264_vaapi"]
  #endif

  /// Returns the first encoder that can encode two test frames, because FFmpeg includes encoders whose hardware is
  /// missing on this machine. If no encoder works, returns the error of each candidate.
  public static func findWorking(
    for settings: Encoder.VideoSettings, among names: [String] = candidates
  ) -> (name: String?, failures: [String]) {
    var failures: [String] = []
    for name in names {
      do throws(FFmpegError) {
        if try canEncodeTwoFrames(name, settings) { return (name, failures) }
        failures.append("\(name): no output")
      } catch {
        failures.append("\(name): \(error.logLine ?? error.codeText)")
      }
    }
    return (nil, failures)
  }

  private static func canEncodeTwoFrames(_ name: String, _ settings: Encoder.VideoSettings) throws(FFmpegError) -> Bool
  {
    try LoadedLibraries.loadFFmpeg()
    let encoder = try Encoder(hardware: name, settings)
    let packet = try Packet()
    var count = 0
    for index in 0..<3 {
      var frame: Frame?
      if index < 2 {
        let gray = try Frame(settings.layout)
        for plane in 0..<3 {
          gray.withMutableRows(ofPlane: plane) { _, row in row.initializeMemory(as: UInt8.self, repeating: 128) }
        }
        gray.tag(as: settings.layout)
        gray.presentationTicks = Int64(index)
        frame = gray
      }
      _ = try encoder.send(frame)
      while try encoder.receive(into: packet) == .produced { count += 1 }
    }
    return count == 2
  }
}
