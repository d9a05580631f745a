import ClipModel
import LibAV

/// Renders one picture from the frames that it requests.
protocol PictureRenderer: AnyObject {
  /// The sorted times of the requested frames, in seconds of presentation time.
  var seconds: [Double] { get }
  /// Adds the frame of `seconds[index]`. Called once for each index, in order.
  func add(_ shown: ShownFrame, at index: Int) throws
  /// Returns the files, after all frames were added.
  func finish() throws -> [PictureFile]
}

/// The file of a picture, before it is written.
struct PictureFile {
  /// The file extension, such as `jpg`.
  var fileExtension: String
  var bytes: [UInt8]
  /// The pixels of a PNG, for immediate display.
  var pixels: RGBPicture?
  /// The size of the picture; `nil` for accompanying files.
  var size: PictureSize?
  /// The times of the picture's frames.
  var seconds: [Double] = []
  var notes: [String] = []
}

/// How the frames of a track are rotated and stretched for display.
struct FrameGeometry {
  var orientation: Orientation
  var sampleAspectRatio: Rational?

  /// The displayed size: upright, with square pixels.
  func shownSize(of frame: Frame) -> PictureSize {
    let square = PictureSize(width: frame.width, height: frame.height).withSquarePixels(
      sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.transposed : square
  }
}

/// Scales the frames of a track to upright pictures of one size. Use it on one thread at a time.
final class UprightScaler {
  private let geometry: FrameGeometry
  private let scaler: FrameScaler

  /// - Parameters:
  ///   - size: the displayed size.
  ///   - layout: returns the layout for a size.
  init(_ geometry: FrameGeometry, to size: PictureSize, layout: (PictureSize) -> FrameLayout) throws {
    self.geometry = geometry
    scaler = try FrameScaler(target: layout(geometry.orientation.swapsAxes ? size.transposed : size))
  }

  func scale(_ frame: Frame) throws -> Frame { try scaler.scale(frame.still()).oriented(geometry.orientation) }
}

extension Frame {
  /// The frame for use as a still image. For an interlaced frame, only one field is used.
  func still() throws -> Frame { isInterlaced && height >= 4 ? try upperField() : self }
}

extension [String] {
  /// Returns each note once, in at most three lines.
  var summarized: [String] {
    var seen: Set<String> = []
    let different = filter { seen.insert($0).inserted }
    return different.count > 3 ? different.prefix(2) + ["and \(different.count - 2) more like this"] : different
  }
}
