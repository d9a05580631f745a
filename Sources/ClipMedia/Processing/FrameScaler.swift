import ClipModel
import LibAV

/// Converts decoded frames to one size and color space: one zimg pass, and a second pass through a color table for HDR.
/// Use a scaler on only one thread at a time.
///
/// The passes are rebuilt whenever the frame layout changes, because cameras may change it in the middle of a clip.
final class FrameScaler {
  private let target: FrameLayout
  private let output: FramePool
  private var source: FrameLayout?
  private var graph: ZimgGraph?
  private var toneMapper: ToneMapper?
  private var converter: FormatConverter?

  private struct ToneMapper {
    var table: ColorTable
    /// The frame between the scaling and tone-mapping passes.
    var scaled: Frame
    /// Converts the color table's 4:2:0 output to a different target layout.
    var last: (graph: ZimgGraph, mapped: Frame)?
  }

  /// - Parameter target: the layout of the output frames. HDR frames are tone mapped if the target is SDR.
  init(target: FrameLayout) throws(FFmpegError) {
    self.target = target
    output = try FramePool(width: target.width, height: target.height, pixelFormat: target.pixelFormat)
  }

  /// Converts a frame to the target layout. Returns a new frame with the same timestamp.
  func scale(_ decoded: Frame) throws -> Frame {
    let frame = try supportedFrame(decoded)
    let layout = resolveUnspecifiedTags(frame.layout)
    if layout != source { try buildPasses(for: layout, peak: decoded.peakLuminance) }
    guard let graph else { return frame }
    let result = try output.makeFrame()
    if let toneMapper {
      try graph.convert(frame, into: toneMapper.scaled)
      let mapped = toneMapper.last?.mapped ?? result
      try toneMapper.table.convert(
        toneMapper.scaled, into: mapped, isChromaCentered: target.chromaLocation == .center)
      mapped.tag(as: toneMapper.last?.graph.source ?? target)
      try toneMapper.last?.graph.convert(mapped, into: result)
    } else {
      try graph.convert(frame, into: result)
    }
    result.presentationTicks = decoded.presentationTicks
    return result
  }

  private func buildPasses(for layout: FrameLayout, peak: Double?) throws {
    if layout.transfer.dynamicRange == .sdr || target.transfer.dynamicRange != .sdr {
      toneMapper = nil
      graph = try ZimgGraph(from: layout, to: target)
    } else {
      let mapped = target.pixelFormat.isRGB ? .video(target.size) : target
      // Scale first, because the cost of tone mapping grows with the frame size.
      let between = ToneMapping.layout(of: layout, at: mapped)
      let peak = layout.transfer == .hlg ? nil : peak
      let mapping = ToneMapping(from: between, to: mapped, peak: peak ?? ToneMapping.usualPeak)
      graph = try ZimgGraph(from: layout, to: between)
      toneMapper = ToneMapper(table: ColorTable(mapping.convert), scaled: try Frame(between))
      if mapped != target { toneMapper?.last = (try ZimgGraph(from: mapped, to: target), try Frame(mapped)) }
    }
    source = layout
  }

  /// Returns the frame in a format and alignment that zimg supports.
  private func supportedFrame(_ frame: Frame) throws -> Frame {
    let isSupported = ZimgGraph.supports(frame.pixelFormat)
    if isSupported, ZimgGraph.hasWholeChroma(frame) {
      return ZimgGraph.isAligned(frame) ? frame : try frame.alignedCopy()
    }
    if let converter, converter.accepts(frame) { return try converter.convert(frame) }
    let converter =
      isSupported
      ? try FormatConverter(fullChromaOf: frame.pixelFormat, width: frame.width, height: frame.height)
      : try FormatConverter(width: frame.width, height: frame.height, from: frame.pixelFormat)
    self.converter = converter
    return try converter.convert(frame)
  }

  /// Fills in unspecified color tags in the same way as players: BT.601 for small frames and BT.709 for large frames.
  private func resolveUnspecifiedTags(_ layout: FrameLayout) -> FrameLayout {
    var layout = layout
    let isSDR = layout.transfer.dynamicRange == .sdr
    if layout.pixelFormat.isRGB {
      layout.matrix = .rgb
      layout.isFullRange = true
    } else if layout.matrix == .unspecified || layout.matrix == .rgb {
      // Standard-definition video has at most 576 lines.
      layout.matrix = !isSDR ? .bt2020 : min(layout.width, layout.height) <= 576 ? .bt601 : .bt709
    }
    if layout.primaries == .unspecified { layout.primaries = isSDR ? target.primaries : .bt2020 }
    // SDR transfer curves differ less than displays do, so converting between them would only change the look.
    if isSDR { layout.transfer = target.transfer }
    return layout
  }
}

extension FrameLayout {
  /// Returns the layout for HEVC Main 10 with the source's color space, for HDR clips that remain HDR.
  static func hdr(_ size: PictureSize, like source: FrameLayout) -> FrameLayout {
    var layout = source
    layout.width = size.width
    layout.height = size.height
    layout.pixelFormat = .yuv420p10
    layout.isFullRange = false
    layout.matrix = .bt2020
    if layout.primaries == .unspecified { layout.primaries = .bt2020 }
    return layout
  }
}

extension FrameLayout.Transfer {
  var dynamicRange: DynamicRange {
    switch self {
    case .hlg: .hlg
    case .pq: .pq
    default: .sdr
    }
  }
}
