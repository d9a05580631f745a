import ClipModel
import LibAV

/// Renders a picture from the frames that it requests.
protocol PictureRenderer: AnyObject {
  /// The presentation times of the requested frames in seconds, sorted.
  var seconds: [Double] { get }
  /// Adds the frame for the time `seconds[index]`. Called once for each index, in order.
  func add(_ shown: ShownFrame, at index: Int) throws
  /// Returns the picture's files. Call this method after all frames have been added.
  func finish() throws -> [PictureFile]
}

/// The contents of a picture file that hasn't been written yet.
struct PictureFile {
  /// The file extension, such as `jpg`.
  var fileExtension: String
  var bytes: [UInt8]
  /// The pixels of a PNG picture, for immediate display.
  var pixels: RGBPicture?
  /// The size of the picture, or `nil` for accompanying files.
  var size: PictureSize?
  /// The times of the frames in the picture, in seconds.
  var seconds: [Double] = []
  var notes: [String] = []
}

/// The rotation and pixel aspect ratio with which a track's frames are displayed.
struct FrameGeometry {
  var orientation: Orientation
  var sampleAspectRatio: Rational?

  /// Returns the displayed size of a frame: upright, with square pixels.
  func shownSize(of frame: Frame) -> PictureSize {
    let square = PictureSize(width: frame.width, height: frame.height).withSquarePixels(
      sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.transposed : square
  }
}

/// Scales a track's frames to upright pictures of one size. Use a scaler on only one thread at a time.
final class UprightScaler {
  private let geometry: FrameGeometry
  private let scaler: FrameScaler

  /// - Parameters:
  ///   - size: the displayed size of the pictures.
  ///   - layout: a closure that returns the layout for a size.
  init(_ geometry: FrameGeometry, to size: PictureSize, layout: (PictureSize) -> FrameLayout) throws {
    self.geometry = geometry
    scaler = try FrameScaler(target: layout(geometry.orientation.swapsAxes ? size.transposed : size))
  }

  func scale(_ frame: Frame) throws -> Frame { try scaler.scale(frame.stillFrame()).oriented(geometry.orientation) }
}

extension Frame {
  /// Returns the frame for use as a still picture. If the frame is interlaced, returns only one field.
  func stillFrame() throws -> Frame { isInterlaced && height >= 4 ? try upperField() : self }
}

extension [String] {
  /// The notes without duplicates, in at most three lines.
  var summarized: [String] {
    var seen: Set<String> = []
    let different = filter { seen.insert($0).inserted }
    return different.count > 3 ? different.prefix(2) + ["and \(different.count - 2) more similar notes"] : different
  }
}
