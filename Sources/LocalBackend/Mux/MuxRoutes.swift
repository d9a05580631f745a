import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/video/v1/…`: Mux's REST API, as far as a client of direct uploads needs it.
struct MuxRoutes: Sendable {
  let store: ServerStore
  let folder: DataFolder
  let keys: ServerKeys
  let configuration: LocalServerConfiguration

  func add(to router: Router<BackendContext>) {
    let group = router.group("video/v1").add(middleware: MuxGate(keys: keys, configuration: configuration))
    MuxUploadRoutes(store: store, folder: folder, now: configuration.now).add(to: group)
    MuxAssetRoutes(store: store, folder: folder, now: configuration.now).add(to: group)
    for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
      group.on("**", method: method) { _, _ -> Response in throw BackendFailure.notFound("this path") }
    }
  }
}
