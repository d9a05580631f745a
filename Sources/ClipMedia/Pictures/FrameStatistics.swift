import ClipModel
import LibAV

/// The brightness and visual quality of a frame, measured at a width of 640 pixels.
struct FrameStatistics {
  /// The full-range luma samples, row by row.
  private let luma: [UInt8]
  private let width: Int
  /// The mean strength of the finest edges relative to the contrast, from 0 to about 1.
  private let sharpness: Double
  /// The quality of the exposure, from 0 to 1.
  private let exposureQuality: Double

  /// The width at which frames are analyzed, in pixels. At this width, blur in phone videos is visible, but noise
  /// isn't.
  private static let width = 640

  /// Returns the layout for analyzing a frame. Only the range is converted, because the frame isn't displayed.
  static func layout(for frame: Frame) -> FrameLayout {
    .jpeg(PictureSize(width: frame.width, height: frame.height).fitted(width: width))
  }

  /// - Parameter frame: a frame in the layout that `layout(for:)` returns.
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
    sharpness = Self.edgeStrength(luma, width: width) / (contrast + 8)
    exposureQuality = Self.exposureQuality(histogram, count: count, mean: mean, contrast: contrast)
  }

  /// Returns the mean strength of the Laplacian, from 0 to 255.
  private static func edgeStrength(_ luma: [UInt8], width: Int) -> Double {
    let height = luma.count / width
    guard width > 2, height > 2 else { return 0 }
    var sum = 0
    unsafe luma.withUnsafeBufferPointer { luma in
      for row in 1..<height - 1 {
        var line: Int32 = 0
        let start = row * width
        for index in (start + 1)..<(start + width - 1) {
          let horizontal = unsafe Int32(luma[index - 1]) + Int32(luma[index + 1])
          let vertical = unsafe Int32(luma[index - width]) + Int32(luma[index + width])
          line += unsafe abs(4 * Int32(luma[index]) - horizontal - vertical)
        }
        sum += Int(line)
      }
    }
    return Double(sum) / Double((width - 2) * (height - 2)) / 4
  }

  /// Returns 1 for a frame with medium brightness, good contrast and no clipping, and 0 for a black, white or gray
  /// frame.
  private static func exposureQuality(_ histogram: [Int], count: Double, mean: Double, contrast: Double) -> Double {
    let dark = Double(histogram[..<6].reduce(0, +)) / count
    let bright = Double(histogram[251...].reduce(0, +)) / count
    // Clipping is acceptable in the windows of a gym or a night sky, but not in half of the frame.
    let kept = 1 - min(max(dark + bright - 0.1, 0) * 2, 1)
    let brightness = min(mean / 60, (255 - mean) / 60, 1)
    return max(brightness, 0) * kept * min(contrast / 16, 1)
  }

  /// Whether at least 98 % of the pixels have a luma below 20 of 255, which is darker than a recording with the lens
  /// cap on.
  var isBlack: Bool { luma.count { $0 >= 20 } * 50 <= luma.count }

  /// Returns the mean difference from a frame of the same size, from 0 to 255. Only every fourth pixel is compared.
  func difference(to other: FrameStatistics) -> Double {
    guard luma.count == other.luma.count, !luma.isEmpty else { return 0 }
    var sum = 0
    for index in stride(from: 0, to: luma.count, by: 4) {
      sum += abs(Int(luma[index]) - Int(other.luma[index]))
    }
    return Double(sum * 4) / Double(luma.count)
  }

  /// Returns the frame's score as a still picture, which is at least 0.
  /// - Parameter motion: the mean difference from the adjacent frames, from 0 to 255.
  func score(motion: Double) -> Double {
    // Frames without motion score lower. A mean difference of about 4 indicates that people are in full motion.
    let action = 0.5 + 0.5 * motion / (motion + 4)
    return sharpness * exposureQuality * action
  }
}

/// Computes the statistics of frames that have the same size.
struct FrameAnalyzer {
  private var scaler: FrameScaler?

  mutating func statistics(of frame: Frame) throws -> FrameStatistics {
    let scaler = try self.scaler ?? FrameScaler(target: FrameStatistics.layout(for: frame))
    self.scaler = scaler
    return FrameStatistics(try scaler.scale(frame.stillFrame()))
  }
}
