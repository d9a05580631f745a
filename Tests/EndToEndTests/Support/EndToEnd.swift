import Testing

/// Tests of the whole program. They run serially, because each run uses all processor cores.
@Suite(.serialized) enum EndToEnd {}
