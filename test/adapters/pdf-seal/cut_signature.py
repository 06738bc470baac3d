"""Cuts the last signature of a PDF apart, by the syntax of PDF and DER alone.

    cut_signature.py FILE.pdf

Writes what is signed (signed), the CMS (seal.cms), the value of the signature (value) and its time stamp (token.tst), and says how many bytes of
the room are left over, and whether they are zeros.
"""

import re
import sys

TIME_STAMP_TOKEN = bytes.fromhex("060b2a864886f70d010910020e")


def value_at(der, at):
    """Tag, start of the content, and end."""
    length, start = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length = int.from_bytes(der[start : start + size], "big")
        start += size
    return der[at], start, start + length


def parts(der, start, end):
    found = []
    while start < end:
        tag, inner, after = value_at(der, start)
        found.append((tag, start, inner, after))
        start = after
    return found


def inside(der, part):
    return parts(der, part[2], part[3])


pdf = open(sys.argv[1], "rb").read()
_, first, second, rest = map(int, re.findall(rb"/ByteRange ?\[(\d+) +(\d+) +(\d+) +(\d+)", pdf)[-1])
assert second + rest == len(pdf)
room = bytes.fromhex(pdf[first + 1 : second - 1].decode())
_, start, end = value_at(room, 0)
_, content = parts(room, start, end)
(signed_data,) = inside(room, content)
(signer,) = inside(room, inside(room, signed_data)[-1])
fields = inside(room, signer)
value = next(part for part in fields if part[0] == 0x04)
open("signed", "wb").write(pdf[:first] + pdf[second:])
open("seal.cms", "wb").write(room[:end])
open("value", "wb").write(room[value[2] : value[3]])
for unsigned in [part for part in fields if part[0] == 0xA1]:
    for attribute in inside(room, unsigned):
        kind, values = inside(room, attribute)
        assert room[kind[1] : kind[3]] == TIME_STAMP_TOKEN
        (token,) = inside(room, values)
        open("token.tst", "wb").write(room[token[1] : token[3]])
print(len(room) - end, not any(room[end:]))
