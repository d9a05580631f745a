import ClipModel
import LibAV

/// Draws one kind of picture from the frames that it asks for.
protocol PictureRenderer: AnyObject {
  /// When the frames that it wants are shown, seconds of the presentation, ascending.
  var seconds: [Double] { get }
  /// - Parameter place: which of `seconds`; each comes once, in order.
  func take(_ shown: ShownFrame, at place: Int) throws
  /// The files, once every frame was taken.
  func finish() throws -> [PictureFile]
}

/// A picture's file before it is written.
struct PictureFile {
  /// Of the file's name: `jpg`.
  var fileExtension: String
  var bytes: [UInt8]
  /// Of a PNG: what was stored, for whoever wants to show it at once.
  var pixels: RGBPicture?
  /// `nil` for files that go with a picture.
  var size: PictureSize?
  /// Where its frames were taken.
  var seconds: [Double] = []
  var notes: [String] = []
}

/// How the frames of one track have to be turned and stretched to be shown.
struct FrameGeometry {
  var orientation: Orientation
  var sampleAspectRatio: Rational?

  /// Upright, with square pixels.
  func shownSize(of frame: Frame) -> PictureSize {
    let square = PictureSize(width: frame.width, height: frame.height).squared(sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.turned : square
  }
}

/// Frames of one track to upright pictures of one size. One thread at a time.
final class UprightScaler {
  private let geometry: FrameGeometry
  private let scaler: FrameScaler

  /// - Parameters:
  ///   - size: as shown.
  ///   - layout: of a picture of some size.
  init(_ geometry: FrameGeometry, to size: PictureSize, layout: (PictureSize) -> PictureLayout) throws {
    self.geometry = geometry
    scaler = try FrameScaler(target: layout(geometry.orientation.swapsAxes ? size.turned : size))
  }

  func scale(_ frame: Frame) throws -> Frame { try scaler.scale(frame.still()).turned(geometry.orientation) }
}

extension Frame {
  /// As it can be shown standing still: of two moments that were filmed line by line, one.
  func still() throws -> Frame { isInterlaced && height >= 4 ? try upperField() : self }
}

extension [String] {
  /// Each note once, and not more of them than somebody reads.
  var forPeople: [String] {
    var seen: Set<String> = []
    let different = filter { seen.insert($0).inserted }
    return different.count > 3 ? different.prefix(2) + ["and so with \(different.count - 2) more"] : different
  }
}
