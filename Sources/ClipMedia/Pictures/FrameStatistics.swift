import ClipModel
import LibAV

/// What a frame looks like to somebody who chooses a picture: its brightness, 640 pixels wide.
struct FrameStatistics {
  /// Row by row, full range.
  private let luma: [UInt8]
  private let width: Int
  /// How sharp it is: mean strength of its finest edges against its contrast, about 0 to 1.
  private let sharpness: Double
  /// How well exposed, 0 to 1.
  private let exposure: Double

  /// Pixels: blur of a phone's picture shows at this size, and its noise does not.
  private static let width = 640

  /// Full range and as stored: nobody looks at it.
  static func layout(for frame: Frame) -> PictureLayout {
    FrameScaler.jpegLayout(PictureSize(width: frame.width, height: frame.height).fitted(width: width))
  }

  /// - Parameter frame: in `layout(for:)`.
  init(_ frame: Frame) {
    var luma: [UInt8] = []
    luma.reserveCapacity(frame.width * frame.height)
    unsafe frame.withRows(ofPlane: 0) { _, row in unsafe luma.append(contentsOf: row) }
    self.luma = luma
    width = max(frame.width, 1)
    var histogram = [Int](repeating: 0, count: 256)
    for value in luma { histogram[Int(value)] += 1 }
    let count = Double(max(luma.count, 1))
    let mean = histogram.enumerated().reduce(0) { $0 + Double($1.offset * $1.element) } / count
    let contrast = histogram.enumerated().reduce(0) { $0 + abs(Double($1.offset) - mean) * Double($1.element) } / count
    sharpness = Self.edges(luma, width: width) / (contrast + 8)
    exposure = Self.exposure(histogram, count: count, mean: mean, contrast: contrast)
  }

  /// Mean strength of the Laplacian, 0 to 255.
  private static func edges(_ luma: [UInt8], width: Int) -> Double {
    let height = luma.count / width
    guard width > 2, height > 2 else { return 0 }
    var sum = 0
    unsafe luma.withUnsafeBufferPointer { luma in
      for row in 1..<height - 1 {
        var line: Int32 = 0
        let start = row * width
        for index in (start + 1)..<(start + width - 1) {
          let around = unsafe Int32(luma[index - 1]) + Int32(luma[index + 1])
          let beside = unsafe Int32(luma[index - width]) + Int32(luma[index + width])
          line += unsafe abs(4 * Int32(luma[index]) - around - beside)
        }
        sum += Int(line)
      }
    }
    return Double(sum) / Double((width - 2) * (height - 2)) / 4
  }

  /// 1 between dark and bright with contrast and nothing cut off; 0 for a black, white or grey frame.
  private static func exposure(_ histogram: [Int], count: Double, mean: Double, contrast: Double) -> Double {
    let dark = Double(histogram[..<6].reduce(0, +)) / count
    let bright = Double(histogram[251...].reduce(0, +)) / count
    // A gym's windows or a night sky may be cut off; half of the picture may not.
    let kept = 1 - min(max(dark + bright - 0.1, 0) * 2, 1)
    let brightness = min(mean / 60, (255 - mean) / 60, 1)
    return max(brightness, 0) * kept * min(contrast / 16, 1)
  }

  /// Darker than anything that was filmed with the lens cap off: 98 of 100 pixels below 20 of 255.
  var isBlack: Bool { luma.count { $0 >= 20 } * 50 <= luma.count }

  /// Mean difference to another frame of the same size, 0 to 255, of every fourth pixel.
  func difference(to other: FrameStatistics) -> Double {
    guard luma.count == other.luma.count, !luma.isEmpty else { return 0 }
    var sum = 0
    for index in stride(from: 0, to: luma.count, by: 4) {
      sum += abs(Int(luma[index]) - Int(other.luma[index]))
    }
    return Double(sum * 4) / Double(luma.count)
  }

  /// How good the frame is as a picture, 0 and up.
  /// - Parameter motion: mean difference to its neighbours, 0 to 255.
  func score(motion: Double) -> Double {
    // Nothing happens in a frame like the one before it; from about 4 levels on, people are in full motion.
    let action = 0.5 + 0.5 * motion / (motion + 4)
    return sharpness * exposure * action
  }
}
