/// libav's names, so that rules see the same values regardless of which code has read the file.
extension SequenceParameters {
  /// The profile name: `Constrained Baseline`, `High`, `Main 10`…; `nil` if the profile has no name.
  package var profileName: String? {
    switch codec {
    case .h264: profileNameH264
    case .hevc: Self.profileNamesHEVC[profileIDC]
    }
  }

  /// H.265, annexes A and G.
  private static let profileNamesHEVC = [
    1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext", 6: "Multiview Main", 9: "Scc",
  ]

  /// H.264, A.2; flags: A.2.1 (`constraint_set1_flag`), A.2.8 to A.2.10 (`constraint_set3_flag`).
  private var profileNameH264: String? {
    let isIntra = constraints & 0x10 != 0
    return switch profileIDC {
    case 44: "CAVLC 4:4:4"
    case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: "High"
    case 110: isIntra ? "High 10 Intra" : "High 10"
    case 118: "Multiview High"
    case 122: isIntra ? "High 4:2:2 Intra" : "High 4:2:2"
    case 128: "Stereo High"
    case 144: "High 4:4:4"
    case 244: isIntra ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    default: nil
    }
  }

  /// The libav pixel format: `yuv420p`, `yuvj420p` (full range), `yuv420p10le`, `gbrp`, `gray`…; `nil` if libav does
  /// not support it. libav decodes monochrome H.264 as 4:2:0.
  package var pixelFormat: String? {
    guard chromaFormat == .monochrome || lumaBitDepth == chromaBitDepth, knownDepths.contains(lumaBitDepth) else {
      return nil
    }
    let depth = lumaBitDepth == 8 ? "" : "\(lumaBitDepth)le"
    let isFull = lumaBitDepth == 8 && usability?.isFullRange == true
    let isRGB = usability?.color?.matrix == 0
    switch chromaArrayFormat {
    case .monochrome where codec == .hevc: return "gray" + depth
    case .monochrome, .yuv420: return (isFull ? "yuvj420p" : "yuv420p") + depth
    case .yuv422: return (isFull && codec == .h264 ? "yuvj422p" : "yuv422p") + depth
    case .yuv444: return (isRGB ? "gbrp" : isFull && codec == .h264 ? "yuvj444p" : "yuv444p") + depth
    }
  }

  private var knownDepths: Set<Int> { codec == .h264 ? [8, 9, 10, 12, 14] : [8, 9, 10, 12] }

  /// The chroma sample position, which is only defined for 4:2:0. For other H.264 formats, libav reports `left`.
  package var chromaLocationName: String? {
    guard codec == .h264 || chromaFormat == .yuv420 else { return nil }
    return ["left", "center", "topleft", "top", "bottomleft", "bottom"][usability?.chromaLocation ?? 0]
  }
}
