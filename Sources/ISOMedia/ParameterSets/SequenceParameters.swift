package import ClipModel

/// The values in an H.264 or HEVC sequence parameter set (ITU-T H.264, 7.3.2.1.1; H.265, 7.3.2.2).
package struct SequenceParameters: Equatable, Sendable {
  /// The value of `chroma_format_idc` (table 6-1 in both standards).
  package enum ChromaFormat: Int, Sendable {
    case monochrome, yuv420, yuv422, yuv444

    /// The number of luma samples per chroma sample, horizontally and vertically.
    var subsampling: (width: Int, height: Int) {
      (self == .yuv420 || self == .yuv422 ? 2 : 1, self == .yuv420 ? 2 : 1)
    }
  }

  package var codec: NALUnitCodec
  /// `seq_parameter_set_id`, `sps_seq_parameter_set_id`.
  package var identifier = 0
  /// `profile_idc`, `general_profile_idc`.
  package var profileIDC = 0
  /// The constraint flags. H.264: 8 bits, starting with `constraint_set0_flag`. HEVC: the 48 bits after the
  /// compatibility flags.
  package var constraints: UInt64 = 0
  /// The coded level, as in libav. For level 4.1, the value is 41 in H.264 and 123 in HEVC.
  package var level = 0
  /// The number of temporal layers (`sps_max_sub_layers_minus1` + 1). Always 1 in H.264, whose parameter sets don't
  /// specify it.
  package var temporalLayerCount = 1

  package var chromaFormat = ChromaFormat.yuv420
  /// Whether the three color planes are coded separately (`separate_colour_plane_flag`).
  package var hasSeparatePlanes = false
  package var lumaBitDepth = 8
  package var chromaBitDepth = 8
  /// The coded frame size, in complete blocks, before cropping.
  package var codedSize = PictureSize(width: 0, height: 0)
  /// The cropped area: `frame_cropping_flag` in H.264, the conformance window in HEVC. Like libav, bsc ignores the
  /// default display window in the VUI.
  package var cropping = CroppingWindow()

  /// Whether all pictures and blocks are coded as frames, not fields (`frame_mbs_only_flag` in H.264). Always true in
  /// HEVC.
  package var isFrameOnly = true
  /// The source's scan type in HEVC; `nil` in H.264.
  package var source: SourceScanType?
  /// The value of `pic_order_cnt_type` in H.264; `nil` in HEVC.
  package var pictureOrderType: Int?
  /// Whether an encoder may have intentionally omitted H.264 reference frames (`gaps_in_frame_num_value_allowed_flag`).
  package var allowsFrameNumberGaps = false
  /// The number of reference frames (`refs` in libav): `max_num_ref_frames` in H.264, and the highest layer's
  /// `sps_max_dec_pic_buffering_minus1` in HEVC.
  package var referenceCount = 0
  /// The maximum number of frames that precede a frame in decoding order and follow it in display order (`has_b_frames`
  /// in libav): `max_num_reorder_frames` in H.264, and the highest layer's `sps_max_num_reorder_pics` in HEVC. `nil` if
  /// an H.264 stream doesn't specify it.
  package var reorderDepth: Int?
  /// The video usability information (VUI; annex E of both standards).
  package var usability: VideoUsability?

  /// Parses a NAL unit that contains a sequence parameter set; `nil` if the unit is damaged or has a different type.
  /// Only supports the base layer in HEVC.
  package init?(_ codec: NALUnitCodec, unit: [UInt8]) {
    guard var reader = codec.sequenceSetBits(unit) else { return nil }
    self.codec = codec
    guard (try? codec == .h264 ? readH264(&reader) : readHEVC(&reader)) != nil, hasSize else { return nil }
  }

  /// The frame size after cropping.
  package var size: PictureSize {
    PictureSize(
      width: codedSize.width - cropping.left - cropping.right,
      height: codedSize.height - cropping.top - cropping.bottom)
  }

  /// Returns the size that libav uses for an H.264 track if the container declares a different size. libav uses the
  /// container's size if the difference is less than a block at the right and bottom, and the parameter set doesn't
  /// crop the left or top.
  package func size(inContainer stated: PictureSize) -> PictureSize {
    func cropsOnlyLastBlock(_ stated: Int, _ whole: Int) -> Bool {
      stated > 0 && stated <= whole && (stated - 1) / 16 == (whole - 1) / 16
    }
    let isCut = cropsOnlyLastBlock(stated.width, size.width) && cropsOnlyLastBlock(stated.height, size.height)
    return codec == .h264 && isCut && cropping.left == 0 && cropping.top == 0 ? stated : size
  }

  /// Whether all pictures are progressive frames; `nil` if unspecified.
  package var isProgressive: Bool? {
    switch codec {
    case .h264: isFrameOnly ? true : nil
    case .hevc: usability?.isFieldSequence == true ? false : source?.isProgressive
    }
  }

  /// The value of `ChromaArrayType`. Separate planes are coded like monochrome pictures.
  var chromaArrayFormat: ChromaFormat { hasSeparatePlanes ? .monochrome : chromaFormat }

  /// The maximum width or height in luma samples, which exceeds the limits of the highest levels (H.264, table A-1:
  /// 1055 blocks; H.265, A.4.1: about 33,800 samples).
  static let sideLimit = 1 << 16

  /// Whether the size is valid after cropping.
  var hasSize: Bool {
    size.width > 0 && size.height > 0 && max(codedSize.width, codedSize.height) <= Self.sideLimit
  }
}

/// The number of luma samples to crop on each side.
package struct CroppingWindow: Equatable, Sendable {
  package var left = 0
  package var right = 0
  package var top = 0
  package var bottom = 0

  package init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
  }

  /// Reads the four cropping offsets, which both codecs store in the same order.
  init(_ reader: inout BitReader, unit: (width: Int, height: Int)) throws(BitReader.InvalidData) {
    left = try reader.readUnsigned() * unit.width
    right = try reader.readUnsigned() * unit.width
    top = try reader.readUnsigned() * unit.height
    bottom = try reader.readUnsigned() * unit.height
  }
}

/// The source scan flags `general_progressive_source_flag` and `general_interlaced_source_flag` (H.265, 7.4.4).
package struct SourceScanType: Equatable, Sendable {
  package var isMarkedProgressive: Bool
  package var isMarkedInterlaced: Bool

  /// Whether the source is progressive; `nil` if unknown (neither flag is set), or if it differs between pictures (both
  /// flags are set).
  package var isProgressive: Bool? { isMarkedProgressive == isMarkedInterlaced ? nil : isMarkedProgressive }
}
