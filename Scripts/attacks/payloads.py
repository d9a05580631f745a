"""Texts and bodies that hostile and broken clients send."""

# Ends of texts, comments, operators, functions, and what a driver could take for its own.
TEXTS = [
    "'", "''", '"', "\\", "\\'", "`", ";", "--", "/*", "*/", "' or '1'='1", "' or 1=1 --", '" or "1"="1',
    "x') or (1=1",
    "') union select * from users --", "1; drop table highlights; --", "'; pragma writable_schema=1; --", "%", "_",
    "%%",
    "*", "null", "NULL", "true", "?", "?1", ":a", "$1", "@a", "x'41'", "char(65)", "0x41", "||", "a||b", "{", "}",
    "{}",
    "{a,b}", "(", ")", "()", ",", ".", "..", "eq.1", "not.eq.1", "is.null", "a.eq.b,c.eq.d", "\\00", "\u202e",
    "\ufeff", "İ",
    "ß", "e\u0301", "\u00e9", "👨‍👩‍👧", "\x01", "\x7f", "\t", "\r\n", " ", "  ", "a" * 2000, "-1", "1e999", "NaN",
    "9" * 400,
    "2147483648", "9223372036854775808", "${jndi:ldap://x}", "{{7*7}}", "<script>alert(1)</script>", "%00", "%27",
    "\\u0000", "randomblob(1000000000)", "1/0", "sleep(9)",
]

DEEP = 100_000
BODIES = {
    "deep lists": b"[" * DEEP + b"]" * DEEP, "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep and open": b"[" * DEEP, "too large a number": b'{"duration":1e999}',
    "a long number": b'{"duration":' + b"9" * 5000 + b"}",
    "minus zero": b'{"duration":-0}', "NaN": b'{"duration":NaN}', "Infinity": b'{"duration":Infinity}',
    "hex": b'{"duration":0x10}', "half a surrogate": b'{"caption":"\\ud800"}',
    "the other half": b'{"caption":"\\udc00\\ud800"}',
    "a zero character": b'{"caption":"a\\u0000b"}', "a raw zero": b'{"caption":"a\0b"}',
    "no UTF-8": b'{"caption":"\xff\xfe"}',
    "overlong UTF-8": b'{"caption":"\xc0\xaf"}', "a surrogate in UTF-8": b'{"caption":"\xed\xa0\x80"}',
    "beyond Unicode": b'{"caption":"\xf4\x90\x80\x80"}', "UTF-16": '{"caption":"x"}'.encode("utf-16"),
    "a mark first": b'\xef\xbb\xbf{"caption":"x"}', "a key twice": b'{"caption":"a","caption":"b"}',
    "a comma more": b'{"caption":"a",}',
    "a comment": b'{"caption":"a"}//', "more behind": b'{"caption":"a"}{"caption":"b"}',
    "single quotes": b"{'caption':'a'}",
    "a newline inside": b'{"caption":"a\nb"}', "a bad escape": b'{"caption":"\\x41"}', "no key": b'{"":1}',
    "prototype": b'{"__proto__":{"a":1},"constructor":{"prototype":{}}}', "a number": b"1", "a text": b'"a"',
    "null": b"null",
    "nothing": b"", "blanks": b"   ", "a list of lists": b"[[]]", "mixed": b'[{"caption":"a"},1]', "half": b'{"capt',
    "a column of SQL": b'{"caption\\" = 1; --":"a"}', "an object for a text": b'{"caption":{"a":1}}',
    "a list for a text": b'{"caption":[1]}',
    "a text for a list": b'{"tags":"a"}', "null in a list": b'{"tags":[null]}', "nested lists": b'{"tags":[["a"]]}',
    "a bool for a number": b'{"duration":true}', "a text for a number": b'{"duration":"5; --"}',
    "a bad uuid": b'{"id":"\' or 1=1"}',
    "a bad time": b'{"created_at":"now()"}', "metadata of text": b'{"rally_metadata":"x"}',
    "metadata deep": b'{"rally_metadata":' + b'{"a":' * 900 + b"1" + b"}" * 901,
}
