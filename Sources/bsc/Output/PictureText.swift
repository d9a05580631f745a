import ClipModel
import Foundation

/// Formats rendered pictures as text.
enum PictureText {
  /// Returns lines such as `✓ clip-poster.jpg, 1280x720, 143 kB: the frame at 2 s`.
  /// - Parameter output: a path in the same folder, as the user entered it.
  static func formatLines(_ picture: RenderedPicture, besides output: String, isKeyFrame: Bool = false) -> [StyledText]
  {
    let folder = (output as NSString).deletingLastPathComponent
    let name = (folder as NSString).appendingPathComponent((picture.path as NSString).lastPathComponent)
    let size = "\(picture.width)x\(picture.height), \(ByteCount.text(picture.byteCount))"
    var notes = picture.notes
    if isKeyFrame, picture.kind != .poster, picture.kind != .animated,
      Set(picture.seconds).count * 2 < picture.seconds.count
    {
      notes.append("the clip has few key frames, so some frames are repeated; omit --fast to get different frames")
    }
    return ["\("✓", .good) \(whole: name, .strong), \(size): \(describeContent(picture, isKeyFrame: isKeyFrame))"]
      + notes.map { "  \("note:", .faint) \($0)" }
  }

  private static func describeContent(_ picture: RenderedPicture, isKeyFrame: Bool) -> String {
    let frame = isKeyFrame ? "key frame" : "frame"
    let first = picture.seconds.first.map(decimal) ?? "0"
    let frames = Set(picture.seconds).count.withNoun(frame)
    return switch picture.kind {
    case .poster: "the \(frame) at \(first) s"
    case .sheet, .filmstrip: frames
    case .storyboard: frames + ", with .vtt and .json files"
    case .animated: "from \(first) s"
    }
  }
}
