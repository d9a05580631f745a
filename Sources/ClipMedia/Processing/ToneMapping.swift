import Foundation
import LibAV

/// Maps HDR light to SDR light with the curve of ITU-R BT.2390. The source display is that of ITU-R BT.2408, and the
/// target display that of BT.1886.
///
/// The input of the curve is a weighted mean of a color's luminance and its largest component. All three components are
/// scaled by the same factor to preserve the hue. With luminance alone, a bright sky would clip to cyan. With the
/// largest component alone, all saturated colors would be darker.
struct ToneMapping {
  /// The luminance of diffuse white in HDR video (BT.2408), which becomes SDR white, in cd/m².
  static let referenceWhite = 203.0
  /// The peak luminance of the nominal HLG display in cd/m², also the default for PQ clips that don't specify a peak.
  static let usualPeak = 1000.0
  /// The black level of an SDR display with a contrast ratio of 1000:1, in cd/m².
  static let displayBlack = referenceWhite / 1000
  /// The weight of the largest component in the brightness. The remaining weight applies to the luminance.
  static let largestComponentWeight = 0.75

  /// The layout of the source: 16-bit limited-range HLG or PQ codes.
  let source: FrameLayout
  /// The layout of the target: 8-bit BT.709 codes.
  let target: FrameLayout
  /// The luminance that is mapped to white, in cd/m².
  let peak: Double
  /// The columns of the matrix that converts the source's gamut to BT.709.
  private let gamut: [SIMD3<Double>]
  private let sourceWeights: LumaWeights
  private let luminanceWeights: LumaWeights
  private let targetWeights: LumaWeights

  /// - Parameter peak: the peak luminance in cd/m², which is clamped to the curve's range.
  init(from source: FrameLayout, to target: FrameLayout, peak: Double) {
    self.source = source
    self.target = target
    self.peak = min(max(peak, ToneMapping.referenceWhite * 1.01), 10_000)
    gamut = ToneMapping.gamutMatrixToBT709(from: source.primaries)
    sourceWeights = LumaWeights(source.matrix)
    // The weights are the second row of the matrix from each gamut to CIE XYZ.
    luminanceWeights =
      switch source.primaries {
      case .bt709: LumaWeights(red: 0.2126, blue: 0.0722)
      case .displayP3: LumaWeights(red: 0.2290, blue: 0.0793)
      default: LumaWeights(.bt2020)
      }
    targetWeights = LumaWeights(target.matrix)
  }

  /// Returns the layout of frames between the scaler and the color table.
  static func layout(of source: FrameLayout, at target: FrameLayout) -> FrameLayout {
    var layout = source
    layout.width = target.width
    layout.height = target.height
    layout.pixelFormat = ColorTable.sourceFormat
    layout.isFullRange = false
    layout.chromaLocation = target.chromaLocation
    // RGB sources have no YUV matrix.
    if ![.bt709, .bt470bg, .bt601, .bt2020].contains(layout.matrix) { layout.matrix = .bt2020 }
    return layout
  }

  /// Converts 16-bit codes of the source to 8-bit codes of the target.
  func convert(_ code: ColorCode) -> ColorCode {
    // In limited range, black is 16, white is 235, and chroma has 224 steps around 128.
    let y = (code.y / 256 - 16) / 219
    let encoded = sourceWeights.rgb(y: y, cb: (code.cb / 256 - 128) / 224, cr: (code.cr / 256 - 128) / 224)
    let light = displayLight(encoded)
    let luminance = luminanceWeights.luma(light)
    let brightness = luminance + (light.max() - luminance) * ToneMapping.largestComponentWeight
    let gain = brightness > 1e-6 ? applyCurve(brightness) / brightness / ToneMapping.referenceWhite : 0
    let mappedLight = (gamut[0] * light.x + gamut[1] * light.y + gamut[2] * light.z) * gain
    let shown = Self.desaturateHighlights(mappedLight).map(Self.encodeForSDR)
    let luma = targetWeights.luma(shown)
    let cb = (shown.z - luma) / (2 * (1 - targetWeights.blue))
    let cr = (shown.x - luma) / (2 * (1 - targetWeights.red))
    guard !target.isFullRange else { return (y: luma * 255, cb: cb * 255 + 128, cr: cr * 255 + 128) }
    return (y: luma * 219 + 16, cb: cb * 224 + 128, cr: cr * 224 + 128)
  }

  /// Desaturates light whose largest component is above white, to preserve detail. If each component were clipped
  /// separately, a bright sky and white shirts in the sun would become flat areas.
  private static func desaturateHighlights(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let most = light.max()
    guard most > 1 else { return light }
    let luminance = min(LumaWeights(.bt709).luma(light), 1)
    let share = most > luminance ? (1 - luminance) / (most - luminance) : 0
    return luminance + (light - luminance) * share
  }

  /// Applies BT.2390's EETF with black level lift to a brightness in cd/m².
  func applyCurve(_ luminance: Double) -> Double {
    let top = Self.perceptualCode(peak)
    let white = Self.perceptualCode(ToneMapping.referenceWhite) / top
    let black = Self.perceptualCode(ToneMapping.displayBlack) / top
    let knee = 1.5 * white - 0.5
    var level = min(Self.perceptualCode(luminance) / top, 1)
    if level > knee {
      let t = (level - knee) / (1 - knee)
      let (t2, t3) = (t * t, t * t * t)
      level = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * white
    }
    level += black * pow(1 - level, 4)
    return Self.decodedLuminance(level * top)
  }

  /// Converts code values to light on the source's display, in cd/m².
  private func displayLight(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
    guard source.transfer == .hlg else { return encoded.map { Self.decodedLuminance(min(max($0, 0), 1)) } }
    let scene = encoded.map(Self.hlgSceneLight)
    // Apply BT.2100's system gamma for a 1000 cd/m² display.
    let luminance = luminanceWeights.luma(scene)
    return scene * (ToneMapping.usualPeak * pow(max(luminance, 1e-9), 0.2))
  }

  /// Converts an HLG code to scene light with the inverse of BT.2100's curve. Codes range from 0 to 1 and may exceed 1.
  private static func hlgSceneLight(_ code: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let code = max(code, 0)
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
  }

  /// Converts light relative to SDR white to a code from 0 to 1, with the inverse of BT.1886 for `displayBlack`.
  private static func encodeForSDR(_ light: Double) -> Double {
    let black = pow(displayBlack / referenceWhite, 1 / 2.4)
    return min(max((pow(max(light, 0), 1 / 2.4) - black) / (1 - black), 0), 1)
  }

  // The constants of SMPTE ST 2084, which converts between cd/m² and perceptual quantizer codes from 0 to 1.
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  static func perceptualCode(_ luminance: Double) -> Double {
    let power = pow(max(luminance, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  static func decodedLuminance(_ code: Double) -> Double {
    let power = pow(max(code, 0), 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1) * 10_000
  }

  /// Returns the columns of the matrix that converts linear light of a gamut to BT.709 (for BT.2020, from ITU-R
  /// BT.2407).
  private static func gamutMatrixToBT709(from primaries: FrameLayout.Primaries) -> [SIMD3<Double>] {
    switch primaries {
    case .bt709: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    case .displayP3: [[1.22494, -0.04206, -0.01964], [-0.22494, 1.04206, -0.07864], [0, 0, 1.09828]]
    default: [[1.66049, -0.12455, -0.01815], [-0.58764, 1.13290, -0.10058], [-0.07285, -0.00835, 1.11873]]
    }
  }
}

extension SIMD3<Double> {
  fileprivate func map(_ body: (Double) -> Double) -> SIMD3<Double> { SIMD3(body(x), body(y), body(z)) }
}

/// The weights of red and blue in luma. The remaining weight is green's.
private struct LumaWeights {
  var red: Double
  var blue: Double
}

extension LumaWeights {
  init(_ matrix: FrameLayout.Matrix) {
    switch matrix {
    case .bt2020: self.init(red: 0.2627, blue: 0.0593)
    case .bt601, .bt470bg: self.init(red: 0.299, blue: 0.114)
    default: self.init(red: 0.2126, blue: 0.0722)
    }
  }

  /// Returns the luma of a color.
  /// - Parameter color: the red, green and blue components.
  func luma(_ color: SIMD3<Double>) -> Double { red * color.x + (1 - red - blue) * color.y + blue * color.z }

  func rgb(y: Double, cb: Double, cr: Double) -> SIMD3<Double> {
    let r = y + 2 * (1 - red) * cr
    let b = y + 2 * (1 - blue) * cb
    return [r, (y - red * r - blue * b) / (1 - red - blue), b]
  }
}
