import ClipModel
import Foundation
import ShareEngine

/// Lists the shares that are not finished, with what keeps them from going on: `unfinished`.
@main
enum Unfinished {
  static func main() async throws {
    let places = try Places(environment: ProcessInfo.processInfo.environment)
    for job in try await Journal.open(places).unfinished() {
      print(job.id, job.stage.name, job.source.path, job.setback?.reason ?? "")
    }
  }
}
