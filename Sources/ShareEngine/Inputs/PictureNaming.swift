import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// What pictures are called, and what a file that was named with `-o` can hold.
package struct PictureNaming {
  /// As the user named it.
  private let output: String?
  /// Of still and of moving pictures.
  private let isFormatGiven: (still: Bool, animated: Bool)

  package init(output: String?, isFormatGiven: (still: Bool, animated: Bool)) {
    (self.output, self.isFormatGiven) = (output, isFormatGiven)
  }

  /// `-o cover.webp` says the format where no option does.
  package func takeFormat(into settings: inout PictureSettings) {
    guard let output else { return }
    let name = (output as NSString).pathExtension.lowercased()
    if !isFormatGiven.still,
      let format = ImageFormat.allCases.first(where: { $0.fileExtension == name || $0.rawValue == name })
    {
      settings.format = format
    }
    if !isFormatGiven.animated, let format = AnimationFormat(rawValue: name) { settings.animationFormats = [format] }
  }

  /// One file holds one picture, under a name that says what it is.
  package func check(_ targets: OutputTargets, _ settings: PictureSettings) throws {
    guard let output, let input = targets.inputs.first, input.destination == output else { return }
    let isAnimated = settings.kinds == [.animated]
    guard settings.kinds.count == 1, !isAnimated || settings.animationFormats.count == 1 else {
      let several = isAnimated ? settings.animationFormats.map(\.rawValue) : settings.kinds.map(\.rawValue)
      throw ShareEngineError(.severalPictures, ["output": output, "kinds": several.joined(separator: " and ")])
    }
    let known = OutputTargets.Naming.extensions(settings)
    guard known.contains((output as NSString).pathExtension.lowercased()) else {
      throw ShareEngineError(
        .wrongPictureName,
        ["output": output, "format": known[0], "endings": isAnimated ? ".webp or .gif" : ".jpg, .png or .webp"])
    }
    // The app's metadata of a clip is `clip.json` beside `clip.mp4`.
    func index(_ path: String) -> String {
      ((absolutePath(path) as NSString).deletingPathExtension + ".json").lowercased()
    }
    guard settings.kinds != [.storyboard] || index(output) != index(input.source) else {
      throw ShareEngineError(.indexOverMetadata, ["output": output])
    }
  }

  /// Beside each other: `clip-poster.jpg`, `clip-sheet.jpg`.
  /// - Parameter kinds: all that are drawn; the input's destination is named by the first.
  package static func path(of plan: PicturePlan, for input: OutputTargets.Input, _ kinds: [PictureKind]) -> String {
    let stem = (input.destination as NSString).deletingPathExtension
    let mark = "-" + (kinds.first ?? .poster).rawValue
    let base = stem.hasSuffix(mark) ? String(stem.dropLast(mark.count)) : stem
    return "\(base)-\(plan.kind.rawValue).\(plan.fileExtensions.first ?? "")"
  }
}

extension OutputTargets.Naming {
  /// Pictures of a clip: the first kind's name stands for all of them.
  package static func pictures(_ settings: PictureSettings) -> OutputTargets.Naming {
    OutputTargets.Naming(
      verb: "draw", mark: "-" + (settings.kinds.first ?? .poster).rawValue, fileExtension: extensions(settings)[0],
      marksInFolders: true)
  }

  /// Of the first kind's picture.
  package static func extensions(_ settings: PictureSettings) -> [String] {
    guard settings.kinds.first != .animated else { return settings.animationFormats.map(\.fileExtension) }
    return settings.format == .jpeg ? ["jpg", "jpeg"] : [settings.format.fileExtension]
  }
}
