package import ClipModel

/// The content of an H.264 or HEVC sequence parameter set (ITU-T H.264, 7.3.2.1.1; H.265, 7.3.2.2).
package struct SequenceParameters: Equatable, Sendable {
  /// `chroma_format_idc` (table 6-1 in both standards).
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
  /// H.264: `constraint_set0_flag` is the highest of 8 bits. HEVC: the 48 bits after the compatibility flags.
  package var constraints: UInt64 = 0
  /// The coded value, as in libav: for level 4.1, H.264 has 41 and HEVC 123.
  package var level = 0
  /// The number of temporal layers (`sps_max_sub_layers_minus1` + 1); 1 in H.264, which does not state it.
  package var temporalLayerCount = 1

  package var chromaFormat = ChromaFormat.yuv420
  /// `separate_colour_plane_flag`: three separately coded color planes.
  package var hasSeparatePlanes = false
  package var lumaBitDepth = 8
  package var chromaBitDepth = 8
  /// The coded size, in whole blocks, before cropping.
  package var codedSize = PictureSize(width: 0, height: 0)
  /// The cropped area: `frame_cropping_flag`, or the conformance window of HEVC. As in libav, the default display
  /// window in the VUI is ignored.
  package var cropping = PictureWindow()

  /// `frame_mbs_only_flag` of H.264: neither pictures nor blocks are coded as fields. Always true in HEVC.
  package var isFrameOnly = true
  /// The scan type of the source in HEVC; `nil` in H.264.
  package var source: SourceScan?
  /// `pic_order_cnt_type`; `nil` in HEVC.
  package var pictureOrderType: Int?
  /// `gaps_in_frame_num_value_allowed_flag`: missing H.264 reference frames may have been omitted on purpose.
  package var allowsFrameNumberGaps = false
  /// The number of reference frames (libav's `refs`): `max_num_ref_frames` in H.264, `sps_max_dec_pic_buffering_minus1`
  /// of the highest layer in HEVC.
  package var referenceCount = 0
  /// How many frames may precede a frame in decoding order and follow it in display order: `max_num_reorder_frames`,
  /// `sps_max_num_reorder_pics` of the highest layer; libav's `has_b_frames`. `nil` if an H.264 stream doesn't specify
  /// it.
  package var reorderDepth: Int?
  /// Video usability information (annex E of both standards).
  package var usability: VideoUsability?

  /// Reads a NAL unit with a sequence parameter set; `nil` if the unit has a different type or is damaged. In HEVC,
  /// only the base layer is supported.
  package init?(_ codec: NALUnitCodec, unit: [UInt8]) {
    guard var reader = codec.sequenceSetBits(unit) else { return nil }
    self.codec = codec
    guard (try? codec == .h264 ? readH264(&reader) : readHEVC(&reader)) != nil, hasSize else { return nil }
  }

  /// The size after cropping.
  package var size: PictureSize {
    PictureSize(
      width: codedSize.width - cropping.left - cropping.right,
      height: codedSize.height - cropping.top - cropping.bottom)
  }

  /// The size that libav uses for H.264 in a container with a different size. It is the container's size if that crops
  /// less than one block at the right and bottom, and the parameter set doesn't crop the left and top.
  package func size(inContainer stated: PictureSize) -> PictureSize {
    func cuts(_ stated: Int, _ whole: Int) -> Bool {
      stated > 0 && stated <= whole && (stated - 1) / 16 == (whole - 1) / 16
    }
    let isCut = cuts(stated.width, size.width) && cuts(stated.height, size.height)
    return codec == .h264 && isCut && cropping.left == 0 && cropping.top == 0 ? stated : size
  }

  /// Whether all pictures are progressive frames; `nil` if unspecified.
  package var isProgressive: Bool? {
    switch codec {
    case .h264: isFrameOnly ? true : nil
    case .hevc: usability?.isFieldSequence == true ? false : source?.isProgressive
    }
  }

  /// `ChromaArrayType`: separate planes are coded like monochrome pictures.
  var chromaArrayFormat: ChromaFormat { hasSeparatePlanes ? .monochrome : chromaFormat }

  /// The maximum width or height, which exceeds the limits of the highest levels (H.264, table A-1: 1055 blocks; H.265,
  /// A.4.1: about 33,800 samples).
  static let sideLimit = 1 << 16

  /// Whether the size is valid after cropping.
  var hasSize: Bool {
    size.width > 0 && size.height > 0 && max(codedSize.width, codedSize.height) <= Self.sideLimit
  }
}

/// The number of luma samples that are cropped on each side.
package struct PictureWindow: Equatable, Sendable {
  package var left = 0
  package var right = 0
  package var top = 0
  package var bottom = 0

  package init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
  }

  /// Reads four offsets in cropping units, in the order that both codecs use.
  init(_ reader: inout BitReader, unit: (width: Int, height: Int)) throws(BitReader.Damage) {
    left = try reader.unsigned() * unit.width
    right = try reader.unsigned() * unit.width
    top = try reader.unsigned() * unit.height
    bottom = try reader.unsigned() * unit.height
  }
}

/// `general_progressive_source_flag` and `general_interlaced_source_flag` (H.265, 7.4.4).
package struct SourceScan: Equatable, Sendable {
  package var isMarkedProgressive: Bool
  package var isMarkedInterlaced: Bool

  /// `nil` if unknown (neither flag), or if it differs between pictures (both flags).
  package var isProgressive: Bool? { isMarkedProgressive == isMarkedInterlaced ? nil : isMarkedProgressive }
}
