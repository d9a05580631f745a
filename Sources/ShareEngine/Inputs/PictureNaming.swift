import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// The names of pictures, and checks of a file name specified with `-o`.
package struct PictureNaming {
  /// The output as specified by the user.
  private let output: String?
  /// Whether the formats of still and animated pictures were specified by options.
  private let isFormatGiven: (still: Bool, animated: Bool)

  package init(output: String?, isFormatGiven: (still: Bool, animated: Bool)) {
    (self.output, self.isFormatGiven) = (output, isFormatGiven)
  }

  /// Derives the format from a file name such as `-o cover.webp`, unless options specify the format.
  package func applyFormat(to settings: inout PictureSettings) {
    guard let output else { return }
    let name = (output as NSString).pathExtension.lowercased()
    if !isFormatGiven.still,
      let format = ImageFormat.allCases.first(where: { $0.fileExtension == name || $0.rawValue == name })
    {
      settings.format = format
    }
    if !isFormatGiven.animated, let format = AnimationFormat(rawValue: name) { settings.animationFormats = [format] }
  }

  /// Checks that a single output file is used for only one picture, and that its extension matches the format.
  package func check(_ targets: OutputTargets, _ settings: PictureSettings) throws {
    guard let output, let input = targets.inputs.first, input.destination == output else { return }
    let isAnimated = settings.kinds == [.animated]
    guard settings.kinds.count == 1, !isAnimated || settings.animationFormats.count == 1 else {
      let kinds = isAnimated ? settings.animationFormats.map(\.rawValue) : settings.kinds.map(\.rawValue)
      throw ShareEngineError(.severalPictures, ["output": output, "kinds": kinds.joined(separator: " and ")])
    }
    let known = OutputTargets.Naming.extensions(settings)
    guard known.contains((output as NSString).pathExtension.lowercased()) else {
      throw ShareEngineError(
        .wrongPictureName,
        ["output": output, "format": known[0], "endings": isAnimated ? ".webp or .gif" : ".jpg, .png or .webp"])
    }
    // The path of an index. It must not be `clip.json`, which is the app's metadata for `clip.mp4`.
    func index(_ path: String) -> String {
      ((absolutePath(path) as NSString).deletingPathExtension + ".json").lowercased()
    }
    guard settings.kinds != [.storyboard] || index(output) != index(input.source) else {
      throw ShareEngineError(.indexOverMetadata, ["output": output])
    }
  }

  /// The path of a picture next to the others: `clip-poster.jpg`, `clip-sheet.jpg`.
  /// - Parameter kinds: all kinds that are rendered. The first one determines the input's destination.
  package static func path(of plan: PicturePlan, for input: OutputTargets.Input, _ kinds: [PictureKind]) -> String {
    let stem = (input.destination as NSString).deletingPathExtension
    let mark = "-" + (kinds.first ?? .poster).rawValue
    let base = stem.hasSuffix(mark) ? String(stem.dropLast(mark.count)) : stem
    return "\(base)-\(plan.kind.rawValue).\(plan.fileExtensions.first ?? "")"
  }
}

extension OutputTargets.Naming {
  /// The naming of a clip's pictures, determined by the first kind.
  package static func pictures(_ settings: PictureSettings) -> OutputTargets.Naming {
    OutputTargets.Naming(
      verb: "draw", mark: "-" + (settings.kinds.first ?? .poster).rawValue, fileExtension: extensions(settings)[0],
      marksInFolders: true)
  }

  /// The valid extensions of the first kind.
  fileprivate static func extensions(_ settings: PictureSettings) -> [String] {
    guard settings.kinds.first != .animated else { return settings.animationFormats.map(\.fileExtension) }
    return settings.format == .jpeg ? ["jpg", "jpeg"] : [settings.format.fileExtension]
  }
}
