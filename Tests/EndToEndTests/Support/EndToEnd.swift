import Testing

/// The tests of the whole program, one after the other: its runs use every core by themselves.
@Suite(.serialized) enum EndToEnd {}
