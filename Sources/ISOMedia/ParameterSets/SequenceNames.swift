/// The names that libav uses, so that rules compare the same values regardless of whether bsc or libav has read the
/// file.
extension SequenceParameters {
  /// The profile name, such as `Constrained Baseline`, `High` or `Main 10`; `nil` if the profile has no name.
  package var profileName: String? {
    switch codec {
    case .h264: profileNameH264
    case .hevc: Self.profileNamesHEVC[profileIDC]
    }
  }

  /// The profile names in H.265, annexes A and G.
  private static let profileNamesHEVC = [
    1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext", 6: "Multiview Main", 9: "Scc",
  ]

  /// The profile names in H.264, A.2. Two flags change the name: `constraint_set1_flag` (A.2.1) and
  /// `constraint_set3_flag` (A.2.8 to A.2.10).
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

  /// The libav pixel format, such as `yuv420p`, `yuvj420p` (full range), `yuv420p10le`, `gbrp` or `gray`; `nil` if
  /// libav doesn't support the format. libav decodes monochrome H.264 as 4:2:0.
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

  /// The chroma sample position, which is defined only for 4:2:0. For other H.264 chroma formats, libav reports `left`.
  package var chromaLocationName: String? {
    guard codec == .h264 || chromaFormat == .yuv420 else { return nil }
    return ["left", "center", "topleft", "top", "bottomleft", "bottom"][usability?.chromaLocation ?? 0]
  }
}
