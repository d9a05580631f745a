import Foundation
import LibAV

/// HDR light to SDR light: the curve of ITU-R BT.2390, between the displays that ITU-R BT.2408 and BT.1886 describe.
///
/// The curve takes a brightness between a colour's luminance and its largest component, and all three components are
/// scaled alike, so that hues stay. Luminance alone makes a bright sky too bright for its blue, which then clips to
/// cyan; the largest component alone darkens every saturated colour.
struct ToneMapping {
  /// cd/m² of a white sheet in HDR video (BT.2408): what SDR's white becomes.
  static let referenceWhite = 203.0
  /// cd/m² of HLG's nominal display, and of most PQ clips that do not tell.
  static let usualPeak = 1000.0
  /// cd/m² of an SDR display's black: a contrast of 1000 to 1.
  static let displayBlack = referenceWhite / 1000
  /// How much of the largest component is in the brightness that the curve takes; the rest is luminance.
  static let largestShare = 0.75

  /// The source's meaning: 16-bit limited range codes, HLG or PQ.
  let source: PictureLayout
  /// 8-bit BT.709 light with the matrix and range of the target.
  let target: PictureLayout
  /// cd/m² that become white.
  let peak: Double
  private let gamut: [[Double]]
  private let sourceWeights: LumaWeights
  private let luminanceWeights: LumaWeights
  private let targetWeights: LumaWeights

  /// - Parameter peak: cd/m²; limited to what the curve can do.
  init(from source: PictureLayout, to target: PictureLayout, peak: Double) {
    self.source = source
    self.target = target
    self.peak = min(max(peak, ToneMapping.referenceWhite * 1.01), 10_000)
    gamut = ToneMapping.toBT709(from: source.primaries)
    sourceWeights = LumaWeights(source.matrix)
    // The second row of each gamut's matrix to CIE XYZ.
    luminanceWeights =
      switch source.primaries {
      case .bt709: LumaWeights(red: 0.2126, blue: 0.0722)
      case .displayP3: LumaWeights(red: 0.2290, blue: 0.0793)
      default: LumaWeights(.bt2020)
      }
    targetWeights = LumaWeights(target.matrix)
  }

  /// The layout between the scaler and the table.
  static func layout(of source: PictureLayout, at target: PictureLayout) -> PictureLayout {
    var layout = source
    layout.width = target.width
    layout.height = target.height
    layout.pixelFormat = ColorTable.sourceFormat
    layout.isFullRange = false
    layout.chromaLocation = target.chromaLocation
    // What has no matrix of its own, as RGB, gets the usual one.
    if ![.bt709, .bt470bg, .bt601, .bt2020].contains(layout.matrix) { layout.matrix = .bt2020 }
    return layout
  }

  /// 16-bit codes of the source to 8-bit codes of the target.
  func convert(_ code: ColorCode) -> ColorCode {
    // Limited range: black at 16 and white at 235 of 256; chroma has 224 steps around 128.
    let y = (code.y / 256 - 16) / 219
    let encoded = sourceWeights.rgb(y: y, cb: (code.cb / 256 - 128) / 224, cr: (code.cr / 256 - 128) / 224)
    let light = display(encoded)
    let luminance = luminanceWeights.luma(light)
    let brightness = luminance + (max(light.red, light.green, light.blue) - luminance) * ToneMapping.largestShare
    let gain = brightness > 1e-6 ? mapped(brightness) / brightness / ToneMapping.referenceWhite : 0
    let mappedLight = RGB(
      red: gamut[0][0] * light.red + gamut[0][1] * light.green + gamut[0][2] * light.blue,
      green: gamut[1][0] * light.red + gamut[1][1] * light.green + gamut[1][2] * light.blue,
      blue: gamut[2][0] * light.red + gamut[2][1] * light.green + gamut[2][2] * light.blue
    ).each { $0 * gain }
    let shown = Self.withoutClipping(mappedLight).each(Self.encodedForSDR)
    let luma = targetWeights.luma(shown)
    let cb = (shown.blue - luma) / (2 * (1 - targetWeights.blue))
    let cr = (shown.red - luma) / (2 * (1 - targetWeights.red))
    guard !target.isFullRange else { return ColorCode(y: luma * 255, cb: cb * 255 + 128, cr: cr * 255 + 128) }
    return ColorCode(y: luma * 219 + 16, cb: cb * 224 + 128, cr: cr * 224 + 128)
  }

  /// Light whose largest component is beyond white loses saturation, not detail: where each component clips by itself,
  /// a bright sky and white shirts in the sun become flat areas.
  private static func withoutClipping(_ light: RGB) -> RGB {
    let most = max(light.red, light.green, light.blue)
    guard most > 1 else { return light }
    let luminance = min(LumaWeights(.bt709).luma(light), 1)
    let share = most > luminance ? (1 - luminance) / (most - luminance) : 0
    return light.each { luminance + ($0 - luminance) * share }
  }

  /// One brightness through the curve (BT.2390's EETF with its black level lift): cd/m² in and out.
  func mapped(_ luminance: Double) -> Double {
    let top = Self.perceptual(peak)
    let white = Self.perceptual(ToneMapping.referenceWhite) / top
    let black = Self.perceptual(ToneMapping.displayBlack) / top
    let knee = 1.5 * white - 0.5
    var level = min(Self.perceptual(luminance) / top, 1)
    if level > knee {
      let t = (level - knee) / (1 - knee)
      let (t2, t3) = (t * t, t * t * t)
      level = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * white
    }
    level += black * pow(1 - level, 4)
    return Self.luminance(level * top)
  }

  /// Code values to the light of the display they were made for, cd/m².
  private func display(_ encoded: RGB) -> RGB {
    guard source.transfer == .hlg else { return encoded.each { Self.luminance(min(max($0, 0), 1)) } }
    let scene = encoded.each(Self.hlgScene)
    // BT.2100's system gamma for a display of 1000 cd/m².
    let luminance = luminanceWeights.luma(scene)
    let gain = ToneMapping.usualPeak * pow(max(luminance, 1e-9), 0.2)
    return scene.each { $0 * gain }
  }

  /// Inverse of BT.2100's HLG curve: code 0 to 1, and above it, to scene light.
  private static func hlgScene(_ code: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let code = max(code, 0)
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
  }

  /// Light relative to SDR's white to a code of 0 to 1: the inverse of BT.1886 for a display with that black.
  private static func encodedForSDR(_ light: Double) -> Double {
    let black = pow(displayBlack / referenceWhite, 1 / 2.4)
    return min(max((pow(max(light, 0), 1 / 2.4) - black) / (1 - black), 0), 1)
  }

  // SMPTE ST 2084: cd/m² to the perceptual quantizer's 0 to 1, and back.
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  static func perceptual(_ luminance: Double) -> Double {
    let power = pow(max(luminance, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  static func luminance(_ code: Double) -> Double {
    let power = pow(max(code, 0), 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1) * 10_000
  }

  /// Linear light of a gamut to that of BT.709 (ITU-R BT.2407 for BT.2020).
  private static func toBT709(from primaries: PictureLayout.Primaries) -> [[Double]] {
    switch primaries {
    case .bt709: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    case .displayP3:
      [[1.22494, -0.22494, 0], [-0.04206, 1.04206, 0], [-0.01964, -0.07864, 1.09828]]
    default:
      [[1.66049, -0.58764, -0.07285], [-0.12455, 1.13290, -0.00835], [-0.01815, -0.10058, 1.11873]]
    }
  }
}

/// Three components of light or of its codes.
struct RGB {
  var red: Double
  var green: Double
  var blue: Double

  func each(_ body: (Double) -> Double) -> RGB { RGB(red: body(red), green: body(green), blue: body(blue)) }
}

/// What red and blue count in luma; green is the rest.
struct LumaWeights {
  let red: Double
  let blue: Double

  init(red: Double, blue: Double) {
    self.red = red
    self.blue = blue
  }

  init(_ matrix: PictureLayout.Matrix) {
    switch matrix {
    case .bt2020: self.init(red: 0.2627, blue: 0.0593)
    case .bt601, .bt470bg: self.init(red: 0.299, blue: 0.114)
    default: self.init(red: 0.2126, blue: 0.0722)
    }
  }

  func luma(_ color: RGB) -> Double { red * color.red + (1 - red - blue) * color.green + blue * color.blue }

  func rgb(y: Double, cb: Double, cr: Double) -> RGB {
    let r = y + 2 * (1 - red) * cr
    let b = y + 2 * (1 - blue) * cb
    return RGB(red: r, green: (y - red * r - blue * b) / (1 - red - blue), blue: b)
  }
}
