import Foundation

/// Computes the challenge for a verifier with openssl instead of the tested code.
enum AuthDigest {
  static func challenge(_ verifier: String) -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-sha256", "-binary"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return "openssl is missing" }
    try? input.fileHandleForWriting.write(contentsOf: Data(verifier.utf8))
    try? input.fileHandleForWriting.close()
    let digest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return digest.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
