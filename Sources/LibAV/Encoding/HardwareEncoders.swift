/// Which hardware encoder of this machine works.
public enum HardwareEncoders {
  #if canImport(Darwin)
    public static let candidates = ["h264_videotoolbox"]
  #else
    public static let candidates = ["h264_nvenc", "h264_qsv", "h264_vaapi"]
  #endif

  /// The first that encodes two pictures: many are compiled in, and few have a card. When none does, what each of them
  /// said.
  public static func working(
    for settings: Encoder.VideoSettings, among names: [String] = candidates
  ) -> (name: String?, failures: [String]) {
    FFmpegLog.install()
    var failures: [String] = []
    for name in names {
      do throws(FFmpegError) {
        guard try encodesTwo(name, settings) else {
          failures.append("\(name): nothing came out")
          continue
        }
        return (name, failures)
      } catch {
        failures.append("\(name): \(error.logLine ?? error.codeText)")
      }
    }
    return (nil, failures)
  }

  private static func encodesTwo(_ name: String, _ settings: Encoder.VideoSettings) throws(FFmpegError) -> Bool {
    let encoder = try Encoder(hardware: name, settings)
    let packet = try Packet()
    let layout = settings.layout
    var count = 0
    for index in 0..<3 {
      var frame: Frame?
      if index < 2 {
        let grey = try Frame(width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat)
        for plane in 0..<3 {
          grey.withMutableRows(ofPlane: plane) { _, row in
            for offset in row.indices { row[offset] = 128 }
          }
        }
        grey.tag(as: layout)
        grey.presentationTicks = Int64(index)
        frame = grey
      }
      _ = try encoder.send(frame)
      while try encoder.receive(into: packet) == .produced { count += 1 }
    }
    return count == 2
  }
}
