#!/usr/bin/env python3
"""Decodes H.264 with openh264: an access unit per file in FOLDER, gray frames to stdout, errors to stderr.

    openh264.py FOLDER

Runs as a separate process, because a damaged stream can crash a C library. Each IDR picture gets a new decoder: openh264 2.3
overwrites frames that are still waiting for output when the next IDR picture arrives (GStreamer's element does, too).
"""

import ctypes
import ctypes.util
import sys
from pathlib import Path

# Positions in the table of ISVCDecoder, and options.
INITIALIZE, UNINITIALIZE, DECODE, FLUSH, SET_OPTION = 0, 1, 3, 5, 8
END_OF_STREAM, TRACE_LEVEL = 1, 9
STATES = {1: "frame pending", 2: "reference lost", 4: "bitstream error", 8: "layer lost", 16: "no parameter sets",
          32: "data error concealed", 64: "reference list is null"}


class Parameters(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("load", ctypes.c_uint), ("layer", ctypes.c_ubyte),
                ("concealment", ctypes.c_int), ("parses_only", ctypes.c_bool), ("size", ctypes.c_uint),
                ("stream", ctypes.c_int)]


class Picture(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("time_in", ctypes.c_ulonglong), ("time_out", ctypes.c_ulonglong),
                ("width", ctypes.c_int), ("height", ctypes.c_int), ("format", ctypes.c_int),
                ("strides", ctypes.c_int * 2), ("planes", ctypes.c_void_p * 3)]


class Decoder:
    def __init__(self, library):
        self.library, self.decoder = library, ctypes.c_void_p()
        library.WelsCreateDecoder(ctypes.byref(self.decoder))
        pointers = ctypes.POINTER(ctypes.c_void_p)
        self.table = ctypes.cast(ctypes.cast(self.decoder, pointers)[0], pointers)
        self.set(TRACE_LEVEL, 0)
        # Without error concealment.
        self.call(INITIALIZE, ctypes.byref(Parameters(None, 0, 255, 0, False, 8, 0)))

    def call(self, index, *arguments):
        return ctypes.CFUNCTYPE(ctypes.c_int)(self.table[index])(self.decoder, *arguments)

    def set(self, option, value):
        self.call(SET_OPTION, ctypes.c_int(option), ctypes.byref(ctypes.c_int(value)))

    def output(self, index, *arguments):
        """(state, whether a frame came out)"""
        planes, picture = (ctypes.c_void_p * 3)(), Picture()
        state = self.call(index, *arguments, planes, ctypes.byref(picture))
        if picture.status == 1:
            for y in range(picture.height):
                sys.stdout.buffer.write(ctypes.string_at(planes[0] + y * picture.strides[0], picture.width))
        return state, picture.status == 1

    def decode(self, name, unit):
        state, _ = self.output(DECODE, unit, len(unit))
        if state:
            words = [text for bit, text in STATES.items() if state & bit]
            print(f"access unit {name}: {', '.join(words) or state}", file=sys.stderr)

    def end(self):
        self.set(END_OF_STREAM, 1)
        while self.output(FLUSH)[1]:
            pass
        self.call(UNINITIALIZE)
        self.library.WelsDestroyDecoder(self.decoder)


def is_idr(unit):
    return any(part and part[0] & 31 == 5 for part in unit.split(b"\0\0\1")[1:])


library = ctypes.CDLL(ctypes.util.find_library("openh264"))
decoder = Decoder(library)
for path in sorted(Path(sys.argv[1]).glob("[0-9]*")):
    unit = path.read_bytes()
    if is_idr(unit):
        decoder.end()
        decoder = Decoder(library)
    decoder.decode(int(path.name), unit)
decoder.end()
