/// The version of this package, which `bsc --version` prints.
public enum PackageVersion {
  /// The version, following Semantic Versioning.
  public static let current = "0.1.0"
}
