import ClipModel
import LibAV

/// Any decoded picture to one target size and colour: one pass of zimg, and for HDR a second one through a table of
/// colours. One thread at a time.
///
/// The passes are built for the first frame and again when a frame differs: cameras do change their mind mid-stream.
final class FrameScaler {
  private let target: PictureLayout
  private let output: FramePool
  private var source: PictureLayout?
  private var graph: ZimgGraph?
  private var toneTable: ColorTable?
  /// Between the passes.
  private var scaled: Frame?
  /// The table makes 4:2:0 pictures: others are made of those.
  private var last: (graph: ZimgGraph, mapped: Frame)?
  private var converter: FormatConverter?

  /// - Parameter target: the layout to produce. For an SDR one HDR is tone mapped.
  init(target: PictureLayout) throws(FFmpegError) {
    self.target = target
    output = try FramePool(width: target.width, height: target.height, pixelFormat: target.pixelFormat)
  }

  /// H.264's usual layout: 8-bit 4:2:0, BT.709, limited range.
  static func videoLayout(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .yuv420p, matrix: .bt709, transfer: .bt709,
      primaries: .bt709, isFullRange: false, chromaLocation: .left)
  }

  /// Main 10's layout with the source's own colour, for HDR that stays HDR.
  static func hdrLayout(_ size: PictureSize, like source: PictureLayout) -> PictureLayout {
    var layout = source.withoutUnknownCodes
    layout.width = size.width
    layout.height = size.height
    layout.pixelFormat = .yuv420p10
    layout.isFullRange = false
    layout.matrix = .bt2020
    if layout.primaries == .unspecified { layout.primaries = .bt2020 }
    return layout
  }

  /// JFIF's layout: 4:2:0, BT.601 matrix, full range, chroma in the middle. Read as sRGB by every viewer.
  static func jpegLayout(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .yuvj420p, matrix: .bt601, transfer: .bt709,
      primaries: .bt709, isFullRange: true, chromaLocation: .center)
  }

  /// Lossy WebP's layout: as JPEG's, with limited range.
  static func webpLayout(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .yuv420p, matrix: .bt601, transfer: .bt709,
      primaries: .bt709, isFullRange: false, chromaLocation: .center)
  }

  /// The frame in the target layout, in a new frame with the same timestamp.
  func scale(_ decoded: Frame) throws -> Frame {
    let frame = try usable(decoded)
    let layout = resolved(frame.layout)
    if layout != source { try build(for: layout, peak: decoded.peakLuminance) }
    guard let graph else { return frame }
    let result = try output.frame()
    if let toneTable, let scaled {
      try graph.convert(frame, into: scaled)
      let mapped = last?.mapped ?? result
      try toneTable.convert(scaled, into: mapped, isChromaCentered: target.chromaLocation == .center)
      mapped.tag(as: last?.graph.source ?? target)
      try last?.graph.convert(mapped, into: result)
    } else {
      try graph.convert(frame, into: result)
    }
    result.presentationTicks = decoded.presentationTicks
    return result
  }

  private func build(for layout: PictureLayout, peak: Double?) throws {
    if layout.transfer.dynamicRange == .sdr || target.transfer.dynamicRange != .sdr {
      toneTable = nil
      scaled = nil
      last = nil
      graph = try ZimgGraph(from: layout, to: target)
    } else {
      let mapped = target.pixelFormat.isRGB ? FrameScaler.videoLayout(target.size) : target
      // Scaled first: the curve's cost follows the small picture.
      let between = ToneMapping.layout(of: layout, at: mapped)
      let isRelative = layout.transfer == .hlg
      let mapping = ToneMapping(
        from: between, to: mapped, peak: isRelative ? ToneMapping.usualPeak : peak ?? ToneMapping.usualPeak)
      graph = try ZimgGraph(from: layout, to: between)
      toneTable = ColorTable(mapping.convert)
      scaled = try Frame(width: between.width, height: between.height, pixelFormat: between.pixelFormat)
      last =
        mapped == target
        ? nil
        : (
          try ZimgGraph(from: mapped, to: target),
          try Frame(width: mapped.width, height: mapped.height, pixelFormat: mapped.pixelFormat)
        )
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
    guard ZimgGraph.hasWholeChroma(frame) else {
      if let converter, converter.takes(frame) { return try converter.convert(frame) }
      let converter = try FormatConverter(
        fullChromaOf: frame.pixelFormat, width: frame.width, height: frame.height)
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

extension PictureLayout {
  var size: PictureSize { PictureSize(width: width, height: height) }
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
