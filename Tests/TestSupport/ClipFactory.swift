package import ClipModel
public import Foundation
import Synchronization

/// Makes test clips with the ffmpeg command line, so that reading and writing are tested against an independent
/// implementation.
public enum ClipFactory {
  public struct Failure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
  }

  /// The clips of this run by recipe. Each is made once.
  private static let made = Mutex<[String: String]>([:])
  private static let folder = Result { try ScratchFolder() }
  /// Clips that are kept for the next run, because making them takes a minute in all.
  private static let keptFolder = Result {
    let path = SharedMedia.packageFolder + "/.build/test-clips"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return (path, version: try Tool.run("ffmpeg", ["-version"]))
  }

  /// Returns the path of a clip made by `ffmpeg ARGUMENTS OUT`, with `name` at the end of its file name.
  public static func clip(_ name: String, _ arguments: [String]) throws -> String {
    try made.withLock { made in
      let recipe = ([name] + arguments).joined(separator: " ")
      if let path = made[recipe] { return path }
      let path = try folder.get().path("\(made.count)-\(name)")
      let kept = try keptPath(of: name, recipe)
      if let kept, FileManager.default.fileExists(atPath: kept) {
        try FileManager.default.copyItem(atPath: kept, toPath: path)
      } else {
        _ = try Tool.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [path])
        if let kept { try keep(path, as: kept) }
      }
      made[recipe] = path
      return path
    }
  }

  /// Two runs can make the same clip at the same time.
  private static func keep(_ path: String, as kept: String) throws {
    let new = kept + ".\(getpid())"
    try FileManager.default.copyItem(atPath: path, toPath: new)
    guard rename(new, kept) == 0 else { throw Failure(description: "cannot rename \(new): \(errno)") }
  }

  /// Returns the path of a kept clip, or `nil` for one that is made from a temporary file.
  private static func keptPath(of name: String, _ recipe: String) throws -> String? {
    guard !recipe.contains(NSTemporaryDirectory()) else { return nil }
    let (folder, version) = try keptFolder.get()
    let hash = (Array(recipe.utf8) + version).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "\(folder)/\(String(hash, radix: 16))-\(name)"
  }
}

/// Runs other programs.
public enum Tool {
  /// Runs a program found on `PATH` and returns its output.
  /// - Throws: `ClipFactory.Failure` when it is missing or fails.
  public static func run(_ name: String, _ arguments: [String]) throws -> Data {
    let outcome = try outcome(name, arguments)
    guard outcome.status == 0 else {
      throw ClipFactory.Failure(description: "\(name) \(arguments.joined(separator: " ")): \(outcome.errors)")
    }
    return outcome.output
  }

  /// Returns what a program found on `PATH` writes to stderr, regardless of its exit code.
  public static func errors(_ name: String, _ arguments: [String]) throws -> String {
    try outcome(name, arguments).errors
  }

  private static func outcome(
    _ name: String, _ arguments: [String]
  ) throws -> (status: Int32, output: Data, errors: String) {
    guard let path = path(of: name) else {
      throw ClipFactory.Failure(description: "\(name) is missing: Scripts/bootstrap --tests installs it")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Read both pipes to the end, because a full pipe would block the program.
    let errorData = Mutex(Data())
    let reading = DispatchGroup()
    DispatchQueue.global().async(group: reading) {
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      errorData.withLock { $0 = data }
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    reading.wait()
    process.waitUntilExit()
    return (process.terminationStatus, data, errorData.withLock { String(decoding: $0, as: UTF8.self) })
  }

  public static func path(of name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// One value per line of `ffprobe -show_entries SECTION=KEY` for a stream (`v:0`).
  public static func ffprobe(_ path: String, stream: String, entries: String) throws -> [[String]] {
    let data = try run(
      "ffprobe", ["-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0", path])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A picture, or a frame of a clip, decoded and rotated upright by ffmpeg.
  package static func pixels(_ path: String, at seconds: Double = 0) throws -> RGBPicture {
    let seek = seconds > 0 ? ["-ss", "\(seconds)"] : []
    let upright = try run(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + seek + ["-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm", "-"])
    return try RGBPicture(ppm: upright)
  }
}

extension RGBPicture {
  /// Reads a binary portable pixmap: `P6 WIDTH HEIGHT 255` and the bytes.
  init(ppm data: Data) throws {
    var position = data.startIndex
    func word() -> String {
      while position < data.endIndex, data[position] <= 0x20 { position += 1 }
      let start = position
      while position < data.endIndex, data[position] > 0x20 { position += 1 }
      return String(decoding: data[start..<position], as: UTF8.self)
    }
    guard word() == "P6", let width = Int(word()), let height = Int(word()), word() == "255" else {
      throw ClipFactory.Failure(description: "not a pixmap")
    }
    self.init(width: width, height: height, bytes: Array(data[(position + 1)...]))
  }

  /// Red, green and blue at a point in fractions of width and height, averaged over a few pixels.
  public func color(_ x: Double, _ y: Double) -> [Int] {
    let (column, row) = (Int(x * Double(width)), Int(y * Double(height)))
    return (0..<3).map { channel in
      var sum = 0
      var count = 0
      for dy in -2...2 {
        for dx in -2...2 {
          let (cx, cy) = (min(max(column + dx, 0), width - 1), min(max(row + dy, 0), height - 1))
          sum += Int(bytes[(cy * width + cx) * 3 + channel])
          count += 1
        }
      }
      return sum / count
    }
  }
}
