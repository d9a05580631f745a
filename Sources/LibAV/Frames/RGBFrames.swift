import CFFmpeg
package import ClipModel

extension Frame {
  /// Returns the pixels of a frame whose format is `rgbPlanes`.
  package func rgbPicture() -> RGBPicture {
    var picture = RGBPicture(width: width, height: height)
    // libav stores planar RGB in the order G, B, R.
    for (component, plane) in [2, 0, 1].enumerated() {
      picture.bytes.withUnsafeMutableBufferPointer { bytes in
        withRows(ofPlane: plane) { row, samples in
          guard let source = samples.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
          var index = row * width * 3 + component
          for column in 0..<min(samples.count, width) where index < bytes.count {
            bytes[index] = source[column]
            index += 3
          }
        }
      }
    }
    return picture
  }

  /// Creates a frame with the pixels of a picture, tagged as sRGB. The format must be `rgbPlanes`, `rgb24` or `bgra`.
  package convenience init(_ picture: RGBPicture, as format: PixelFormat) throws(FFmpegError) {
    try self.init(width: picture.width, height: picture.height, pixelFormat: format)
    let rowBytes = picture.width * 3
    func copyComponents(plane: Int, step: Int, _ components: [Int?]) {
      withMutableRows(ofPlane: plane) { row, samples in
        picture.bytes.withUnsafeBufferPointer { bytes in
          for column in 0..<picture.width {
            for (offset, component) in components.enumerated() {
              // `nil` represents the alpha component.
              samples[column * step + offset] = component.map { bytes[row * rowBytes + column * 3 + $0] } ?? 255
            }
          }
        }
      }
    }
    switch format {
    case .rgb24: copyComponents(plane: 0, step: 3, [0, 1, 2])
    case .bgra: copyComponents(plane: 0, step: 4, [2, 1, 0, nil])
    default: for (plane, component) in [1, 2, 0].enumerated() { copyComponents(plane: plane, step: 1, [component]) }
    }
    var layout = FrameLayout.rgb(PictureSize(width: width, height: height))
    layout.transfer = .srgb
    tag(as: layout)
  }

  /// Creates a frame that contains palette indexes, with one byte per pixel.
  /// - Parameter palette: the red, green and blue values of up to 255 colors. Entry 255 is transparent, and GIF uses it
  ///   for unchanged pixels.
  public convenience init(
    indexes: [UInt8], palette: [UInt8], width: Int, height: Int
  ) throws(FFmpegError) {
    guard indexes.count == width * height else {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "Frame.init", subject: "\(width)x\(height) frame")
    }
    try self.init(width: width, height: height, pixelFormat: PixelFormat(AV_PIX_FMT_PAL8))
    indexes.withUnsafeBytes { bytes in
      withMutableRows(ofPlane: 0) { row, samples in
        samples.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[row * width..<(row + 1) * width]))
      }
    }
    planeData(1)?.withMemoryRebound(to: UInt32.self, capacity: 256) { entries in
      for index in 0..<255 {
        let color = palette.dropFirst(index * 3).prefix(3)
        entries[index] = color.count == 3 ? color.reduce(0xFF) { $0 << 8 | UInt32($1) } : 0xFF00_0000
      }
      entries[255] = 0
    }
  }
}
