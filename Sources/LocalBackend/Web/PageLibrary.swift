import Crypto
import DurableFiles
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Mustache
import NIOCore

/// The templates of the pages, and the files that they name.
struct PageLibrary: Sendable {
  /// Of all static files: a part of their addresses, so that browsers may keep them for good.
  let version: String
  private let templates: MustacheLibrary

  private struct File {
    let name: String
    let type: String
    let bytes: [UInt8]
  }

  private static var files: [File] {
    let script = "text/javascript; charset=utf-8"
    return [
      File(name: "style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
      File(name: "icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
      File(name: "pages.js", type: script, bytes: PackageResources.pages_js),
      File(name: "stage.js", type: script, bytes: PackageResources.stage_js),
      File(name: "forms.js", type: script, bytes: PackageResources.forms_js),
      File(name: "keys.js", type: script, bytes: PackageResources.keys_js),
      File(name: "queue.js", type: script, bytes: PackageResources.queue_js),
      File(name: "memory.js", type: script, bytes: PackageResources.memory_js),
    ]
  }

  init() throws {
    var templates = MustacheLibrary()
    for (name, bytes) in [
      ("layout", PackageResources.layout_mustache), ("feed", PackageResources.feed_mustache),
      ("post", PackageResources.post_mustache), ("actions", PackageResources.actions_mustache),
      ("heart", PackageResources.heart_mustache), ("highlight", PackageResources.highlight_mustache),
      ("comments", PackageResources.comments_mustache), ("message", PackageResources.message_mustache),
      ("signin", PackageResources.signin_mustache), ("enter", PackageResources.enter_mustache),
      ("profile", PackageResources.profile_mustache), ("uploads", PackageResources.uploads_mustache),
      ("queue", PackageResources.queue_mustache), ("batches", PackageResources.batches_mustache),
    ] {
      try templates.register(PageEscaping.applied(to: bytes), named: name)
    }
    self.templates = templates
    version = FileDigest.hexadecimal(SHA256.hash(data: Self.files.flatMap(\.bytes)).prefix(6))
  }

  func add(to router: Router<BackendContext>) {
    for file in Self.files {
      router.get("static/:version/\(file.name)") { [version] _, context in
        // Of another version of bsc: what is asked for is no more, but this does the same.
        let isThis = try context.parameters.require("version") == version
        return Self.answer(file, cache: isThis ? "public, max-age=31536000, immutable" : "no-cache")
      }
    }
    for file in Self.files.prefix(2) {
      router.get("\(file.name)") { _, _ in Self.answer(file, cache: "no-cache") }
    }
  }

  /// The text of a template.
  func text(_ template: String, _ values: [String: Any]) -> String {
    templates.render(values.merging(["version": version]) { $1 }, withTemplate: template) ?? ""
  }

  private static func answer(_ file: File, cache: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: file.type, .cacheControl: cache],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
  }
}
