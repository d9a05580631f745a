import ClipMedia
import ClipModel
import Foundation

/// Compresses a video of any length and removes its location data: `transcode-clip SOURCE DESTINATION`.
@main enum TranscodeClip {
  static func main() async throws {
    let files = CommandLine.arguments.suffix(2).map { URL(filePath: $0) }
    let clip = try await ClipProcessor.process(files[0], to: files[1])
    print("\(clip.byteCount) bytes, removed: \(clip.removed.joined(separator: ", "))")
  }
}
