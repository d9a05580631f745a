import ClipModel
import LibAV

/// Any decoded picture to one target size and colour, through one or two zimg passes. One thread at a time.
///
/// The passes are built for the first frame and again when a frame differs: cameras do change their mind mid-stream.
final class FrameScaler {
  private let target: PictureLayout
  private var source: PictureLayout?
  private var graphs: [ZimgGraph] = []
  private var toneMapper: ToneMapper?
  private var converter: FormatConverter?

  /// - Parameter target: the layout to produce; SDR.
  init(target: PictureLayout) { self.target = target }

  /// H.264's usual layout: 8-bit 4:2:0, BT.709, limited range.
  static func videoLayout(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .yuv420p, matrix: .bt709, transfer: .bt709,
      primaries: .bt709, isFullRange: false, chromaLocation: .left)
  }

  /// JFIF's layout: 4:2:0, BT.601 matrix, full range, chroma in the middle. Read as sRGB by every viewer.
  static func jpegLayout(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .yuvj420p, matrix: .bt601, transfer: .bt709,
      primaries: .bt709, isFullRange: true, chromaLocation: .center)
  }

  /// The frame in the target layout, in a new frame with the same timestamp.
  func scale(_ decoded: Frame) throws -> Frame {
    let frame = try usable(decoded)
    let layout = resolved(frame.layout)
    if layout != source { try build(for: layout) }
    let ticks = decoded.presentationTicks
    var current = frame
    for (position, graph) in graphs.enumerated() {
      let next = try Frame(
        width: graph.target.width, height: graph.target.height, pixelFormat: graph.target.pixelFormat)
      try graph.convert(current, into: next)
      if position == 0 { toneMapper?.map(next) }
      current = next
    }
    current.presentationTicks = ticks
    return current
  }

  private func build(for layout: PictureLayout) throws {
    let range = layout.transfer.dynamicRange
    if range == .sdr {
      toneMapper = nil
      graphs = [try ZimgGraph(from: layout, to: target)]
    } else {
      // Scaled first, then linear light, the curve, and back: the curve's cost follows the small picture.
      var linear = target
      linear.pixelFormat = .floatRGB
      linear.matrix = .rgb
      linear.transfer = .linear
      linear.isFullRange = true
      let mapper = ToneMapper(sourcePeak: ToneMapper.usualPeak)
      graphs = [
        try ZimgGraph(from: layout, to: linear, nominalPeakLuminance: ToneMapper.referenceWhite),
        try ZimgGraph(from: linear, to: target, nominalPeakLuminance: ToneMapper.referenceWhite),
      ]
      toneMapper = mapper
    }
    source = layout
  }

  /// In a format and alignment that zimg takes.
  private func usable(_ frame: Frame) throws -> Frame {
    guard ZimgGraph.supports(frame.pixelFormat) else {
      if let converter, converter.takes(frame) { return try converter.convert(frame) }
      let converter = try FormatConverter(width: frame.width, height: frame.height, from: frame.pixelFormat)
      self.converter = converter
      return try converter.convert(frame)
    }
    return ZimgGraph.isAligned(frame) ? frame : try frame.alignedCopy()
  }

  /// With every tag that the file leaves open filled in as players do: small pictures are BT.601, large ones BT.709.
  private func resolved(_ layout: PictureLayout) -> PictureLayout {
    // Reserved codes, and those that zimg does not know, say as little as none.
    var layout = layout.withoutUnknownCodes
    if layout.pixelFormat.isRGB {
      layout.matrix = .rgb
      layout.isFullRange = true
    } else if layout.matrix == .unspecified || layout.matrix == .rgb {
      // 576 lines are the largest standard definition picture.
      let isHDR = layout.transfer.dynamicRange != .sdr
      layout.matrix = isHDR ? .bt2020 : min(layout.width, layout.height) <= 576 ? .bt601 : .bt709
    }
    if layout.primaries == .unspecified {
      layout.primaries = layout.transfer.dynamicRange == .sdr ? target.primaries : .bt2020
    }
    // SDR curves differ by less than displays do; converting between them would only change the look.
    if layout.transfer.dynamicRange == .sdr { layout.transfer = target.transfer }
    return layout
  }
}

extension PictureLayout.Transfer {
  var dynamicRange: DynamicRange {
    switch self {
    case .hlg: .hlg
    case .pq: .pq
    default: .sdr
    }
  }
}
