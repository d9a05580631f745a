import CPango

/// Owns the fonts of a document and their options. Not `Sendable`: Pango allows one thread at a time.
final class TextContext {
  private let fonts: OpaquePointer
  fileprivate let pointer: OpaquePointer

  /// - Parameter cairo: the drawing context for which text is measured.
  init(for cairo: OpaquePointer) {
    // The default map of fonts belongs to the thread, and remains after it.
    fonts = bsc_pango_cairo_font_map_new()
    // One unit is a point.
    bsc_pango_cairo_font_map_set_resolution(fonts, 72)
    pointer = bsc_pango_font_map_create_context(fonts)
    let options = bsc_cairo_font_options_create()
    bsc_cairo_font_options_set_hint_style(options, bsc_CAIRO_HINT_STYLE_NONE)
    bsc_cairo_font_options_set_hint_metrics(options, bsc_CAIRO_HINT_METRICS_OFF)
    bsc_pango_cairo_context_set_font_options(pointer, options)
    bsc_cairo_font_options_destroy(options)
    bsc_pango_context_set_round_glyph_positions(pointer, 0)
    bsc_pango_cairo_update_context(cairo, pointer)
  }

  deinit {
    bsc_g_object_unref(UnsafeMutableRawPointer(pointer))
    bsc_g_object_unref(UnsafeMutableRawPointer(fonts))
  }
}

/// A line of a layout: its position in points relative to the start of the text, and Pango's line, which is valid until
/// the layout's text changes.
struct TextLine {
  let top, bottom, baseline, left, width: Double
  let pointer: OpaquePointer
}

/// Breaks text into lines of a width, in one font. Shapes all scripts; right-to-left text is aligned to the right.
final class TextLayout {
  private let context: TextContext
  private let pointer: OpaquePointer

  /// - Parameters:
  ///   - font: the font family, the style and the size in points: `Sans Bold 8`.
  ///   - width: in points.
  ///   - lineLimit: the number of lines after which a paragraph ends with an ellipsis.
  init(_ context: TextContext, _ font: String, width: Double, lineLimit: Int32? = nil) {
    self.context = context
    pointer = bsc_pango_layout_new(context.pointer)
    let description = bsc_pango_font_description_from_string(font)
    bsc_pango_layout_set_font_description(pointer, description)
    bsc_pango_font_description_free(description)
    // A hyphen at the end of a line would look like a part of an address.
    let attributes = bsc_pango_attr_list_new()
    bsc_pango_attr_list_insert(attributes, bsc_pango_attr_insert_hyphens_new(0))
    bsc_pango_layout_set_attributes(pointer, attributes)
    bsc_pango_attr_list_unref(attributes)
    bsc_pango_layout_set_width(pointer, Int32(max(1, width) * Self.scale))
    bsc_pango_layout_set_wrap(pointer, bsc_PANGO_WRAP_WORD_CHAR)
    if let lineLimit {
      bsc_pango_layout_set_height(pointer, -lineLimit)
      bsc_pango_layout_set_ellipsize(pointer, bsc_PANGO_ELLIPSIZE_END)
    }
  }

  deinit { bsc_g_object_unref(UnsafeMutableRawPointer(pointer)) }

  private static let scale = Double(bsc_PANGO_SCALE)

  /// The lines of a text. The lines of the previous text become invalid.
  func lines(of text: String) -> [TextLine] {
    var text = PrintableText.clean(text)
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // Pango copies the text.
        if let start = characters.baseAddress {
          bsc_pango_layout_set_text(pointer, start, Int32(clamping: characters.count))
        } else {
          bsc_pango_layout_set_text(pointer, "", 0)
        }
      }
    }
    let iterator = bsc_pango_layout_get_iter(pointer)
    defer { bsc_pango_layout_iter_free(iterator) }
    var lines: [TextLine] = []
    repeat {
      var (top, bottom): (Int32, Int32) = (0, 0)
      var logical = bsc_pango_rectangle()
      bsc_pango_layout_iter_get_line_yrange(iterator, &top, &bottom)
      bsc_pango_layout_iter_get_line_extents(iterator, nil, &logical)
      lines.append(
        TextLine(
          top: Double(top) / Self.scale, bottom: Double(bottom) / Self.scale,
          baseline: Double(bsc_pango_layout_iter_get_baseline(iterator)) / Self.scale,
          left: Double(logical.x) / Self.scale, width: Double(logical.width) / Self.scale,
          pointer: bsc_pango_layout_iter_get_line_readonly(iterator)))
    } while bsc_pango_layout_iter_next_line(iterator) != 0
    return lines
  }
}

/// Prepares text of users for paper.
enum PrintableText {
  /// The number of characters without a space after which a line ends. Pango's time for a line without a space is
  /// quadratic: 26 s for 100,000 characters.
  private static let longestWord = 2000

  /// Keeps single and double line breaks. Removes other control characters, noncharacters, and those that change the order
  /// of the text around them.
  static func clean(_ text: String) -> String {
    if text.utf8.count <= longestWord, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = String.UnicodeScalarView()
    var (breakCount, wordLength) = (0, 0)
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0A where isAfterReturn: continue
      // LF, VT, FF, CR, NEL, line separator and paragraph separator.
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
        breakCount += 1
        wordLength = 0
        if breakCount <= 2 { result.append("\n") }
        continue
      case 0x09: result.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: continue
      // cairo fails for characters that Unicode will never assign.
      case 0xFDD0...0xFDEF: continue
      case let value where value & 0xFFFE == 0xFFFE: continue
      default:
        wordLength = scalar.properties.isWhitespace ? 0 : wordLength + 1
        if wordLength > longestWord, !scalar.properties.isGraphemeExtend {
          result.append("\n")
          wordLength = 0
        }
        result.append(scalar)
      }
      breakCount = 0
    }
    return String(result)
  }

  /// The text on one line, as in metadata.
  static func cleanLine(_ text: String) -> String { clean(text).split { $0.isWhitespace }.joined(separator: " ") }
}
