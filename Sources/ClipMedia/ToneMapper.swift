import Foundation
import LibAV

/// HDR light to SDR light by the curve of ITU-R BT.2390 (its EETF), on the largest component so that hues stay.
///
/// Works on linear BT.709 RGB where 1.0 is reference white.
final class ToneMapper {
  /// cd/m² of a white sheet in HDR video (ITU-R BT.2408): what SDR's white becomes.
  static let referenceWhite = 203.0
  /// cd/m² of HLG's nominal display and of most phones' PQ clips.
  static let usualPeak = 1000.0

  /// Factor by brightness of the largest component, from 0 to `peak` in equal steps.
  private let gains: [Float]
  private let peak: Float

  init(sourcePeak: Double, stepCount: Int = 4096) {
    let peak = sourcePeak / ToneMapper.referenceWhite
    self.peak = Float(peak)
    gains = (0...stepCount).map { step in
      let light = peak * Double(step) / Double(stepCount)
      return light > 0 ? Float(ToneMapper.mapped(light, peak: peak) / light) : 1
    }
  }

  /// One brightness through the curve: reference white units in, 0 to 1 out.
  static func mapped(_ light: Double, peak: Double) -> Double {
    let sourcePeak = perceptual(peak * referenceWhite)
    let target = perceptual(referenceWhite) / sourcePeak
    let knee = 1.5 * target - 0.5
    let input = min(perceptual(light * referenceWhite) / sourcePeak, 1)
    guard input > knee else { return light }
    let t = (input - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let output = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * target
    return luminance(output * sourcePeak) / referenceWhite
  }

  /// Maps a float RGB frame in place.
  func map(_ frame: Frame) {
    let scale = Float(gains.count - 1) / peak
    let last = Float(gains.count - 1)
    unsafe gains.withUnsafeBufferPointer { gains in
      unsafe frame.withFloatRows { _, green, blue, red in
        for column in 0..<green.count {
          let (g, b, r) = unsafe (max(green[column], 0), max(blue[column], 0), max(red[column], 0))
          let gain = unsafe gains[Int(min(max(r, g, b) * scale, last))]
          unsafe green[column] = min(g * gain, 1)
          unsafe blue[column] = min(b * gain, 1)
          unsafe red[column] = min(r * gain, 1)
        }
      }
    }
  }

  // SMPTE ST 2084: cd/m² to the perceptual quantizer's 0 to 1, and back.
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  private static func perceptual(_ luminance: Double) -> Double {
    let power = pow(max(luminance, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  private static func luminance(_ code: Double) -> Double {
    let power = pow(max(code, 0), 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1) * 10_000
  }
}
