import CFFmpeg

/// Converts frames to NV12 for a hardware encoder, and for VA-API, uploads them to graphics memory. Must be used on
/// only one thread.
final class HardwareUpload {
  /// The pixel format that the encoder accepts.
  let encoderFormat: PixelFormat
  private let converter: FormatConverter
  private var device: UnsafeMutablePointer<AVBufferRef>?
  private var frames: UnsafeMutablePointer<AVBufferRef>?

  /// The number of frames in graphics memory, which is more than an encoder without B-frames uses.
  private static let poolSize: Int32 = 20

  /// Returns `nil` if the encoder accepts frames without conversion.
  init?(encoder name: String, layout: FrameLayout) throws(FFmpegError) {
    let isVAAPI = name.hasSuffix("_vaapi")
    guard isVAAPI || name.hasSuffix("_qsv") else { return nil }
    let nv12 = PixelFormat(AV_PIX_FMT_NV12)
    encoderFormat = isVAAPI ? PixelFormat(AV_PIX_FMT_VAAPI) : nv12
    converter = try FormatConverter(width: layout.width, height: layout.height, from: layout.pixelFormat, to: nv12)
    guard isVAAPI else { return }
    try check(av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0), "av_hwdevice_ctx_create", on: name)
    frames = av_hwframe_ctx_alloc(device)
    guard let frames, let data = frames.pointee.data else {
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_hwframe_ctx_alloc", subject: name)
    }
    let context = UnsafeMutableRawPointer(data).assumingMemoryBound(to: AVHWFramesContext.self)
    context.pointee.format = AV_PIX_FMT_VAAPI
    context.pointee.sw_format = AV_PIX_FMT_NV12
    context.pointee.width = Int32(layout.width)
    context.pointee.height = Int32(layout.height)
    context.pointee.initial_pool_size = Self.poolSize
    try check(av_hwframe_ctx_init(frames), "av_hwframe_ctx_init", on: name)
  }

  deinit {
    av_buffer_unref(&frames)
    av_buffer_unref(&device)
  }

  func attach(to encoder: UnsafeMutablePointer<AVCodecContext>) {
    if let frames { encoder.pointee.hw_frames_ctx = av_buffer_ref(frames) }
  }

  /// Converts and uploads a frame.
  /// - Returns: the converted frame, or `nil` if `frame` is `nil`.
  func upload(_ frame: Frame?) throws(FFmpegError) -> Frame? {
    guard let frame else { return nil }
    let converted = try converter.convert(frame)
    converted.presentationTicks = frame.presentationTicks
    guard let frames else { return converted }
    let onCard = try Frame()
    try check(av_hwframe_get_buffer(frames, onCard.pointer, 0), "av_hwframe_get_buffer", on: "frame")
    try check(av_hwframe_transfer_data(onCard.pointer, converted.pointer, 0), "av_hwframe_transfer_data", on: "frame")
    try onCard.copyProperties(of: converted)
    return onCard
  }
}
