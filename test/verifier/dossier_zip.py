"""Reads the ZIP of a dossier after src/verifier/README.md only. zipfile passes over too much: here every byte has its meaning."""

import struct
import zlib

MOST_BYTES, MOST_FILES = 8 << 30, 600
FREE_EXTRAS = {0x000A, 0x000D, 0x5455, 0x5855, 0x7875}
OURS = 0x033F


class Refused(ValueError):
    pass


def need(condition, what):
    if not condition:
        raise Refused(what)


def extras(data):
    """The long lengths of an entry, or None, and whether it has other further members."""
    long, others = None, False
    while data:
        need(len(data) >= 4, "extra")
        kind, size = struct.unpack_from("<HH", data)
        need(len(data) >= 4 + size, "extra")
        if kind == 1:
            need(long is None and size % 8 == 0, "lengths")
            long = list(struct.unpack_from(f"<{size // 8}Q", data, 4))
        else:
            need(kind in FREE_EXTRAS, "extra")
            others = True
        data = data[4 + size :]
    return long, others


def expand(shorts, long, mark=0xFFFFFFFF):
    left = list(long or [])
    values = [left.pop(0) if value == mark and left else value for value in shorts]
    need(not left and not (long is None and mark in shorts), "lengths")
    return values


def name_of(raw):
    name = raw.decode("utf-8")
    parts = (name[:-1] if name.endswith("/") else name).split("/")
    need(len(name.encode("utf-16-le")) <= 510 and not any(part in ("", ".", "..") for part in parts), "name")
    need(not any(ord(char) < 32 or char in "\x7f\\:" for char in name), "name")
    return name


def directory(data):
    """Count, first byte and end of the directory, and whether it has a long form that others than our writer make."""
    need(22 <= len(data) <= MOST_BYTES, "length")
    at = len(data) - 22
    mark, disk, first, here, count, size, start, comment = struct.unpack_from("<4s4H2IH", data, at)
    need(mark == b"PK\5\6" and disk == first == comment == 0 and here == count, "end")
    if at < 20 or data[at - 20 : at - 16] != b"PK\6\7":
        need(start + size == at, "end")
        return count, start, at
    part, long_at, parts = struct.unpack_from("<IQI", data, at - 16)
    need(part == 0 and parts == 1 and long_at + 56 == at - 20, "long end")
    mark, length, made, version, one, two, here, full, full_size, full_start = struct.unpack_from("<4sQ2H2I4Q", data, long_at)
    need(mark == b"PK\6\6" and length == 44 and made in (OURS, 45, 0x032D) and version == 45 and one == two == 0, "long end")
    need(here == full and count in (full, 0xFFFF) and size in (full_size, 0xFFFFFFFF) and start in (full_start, 0xFFFFFFFF), "long end")
    need(full_start + full_size == long_at, "long end")
    return full, full_start, long_at


def entries(data):
    count, at, end = directory(data)
    need(count <= MOST_FILES and at <= end, "files")
    found, start = [], at
    while at < end:
        need(at + 46 <= end, "directory")
        (mark, made, version, flags, method, time, crc, packed, size, names, more, comment, disk, text, rights, head) = struct.unpack_from(
            "<4s4HI3I5H2I", data, at
        )
        need(mark == b"PK\1\2" and comment == disk == 0 and text < 2 and method in (0, 8), "entry")
        need(flags & ~(0x808 | (6 if method == 8 else 0)) == 0 and at + 46 + names + more <= end, "entry")
        name = name_of(data[at + 46 : at + 46 + names])
        long, others = extras(data[at + 46 + names : at + 46 + names + more])
        need(version in (10, 20) if long is None else version == 45, "version")
        size, packed, head = expand([size, packed, head], long)
        folder = name.endswith("/")
        need(method == 8 or size == packed, "stored")
        need(not folder or (size == 0 and packed <= 2), "folder")
        need((rights >> 16) & 0o170000 in (0, 0o040000 if folder else 0o100000), "kind")
        found.append((head, name, made, version, flags, method, time, crc, packed, size, text, rights, others))
        at += 46 + names + more
    need(at == end and len(found) == count, "directory")
    need(len({made for _, _, made, *_ in found}) <= 1, "several programs")
    if found and found[0][2] == OURS and all(not entry[5] and not entry[12] and not entry[1].endswith("/") for entry in found):
        need(all(entry[10:12] == (0, 0o100644 << 16) for entry in found), "not as written")
    need(sum(entry[9] for entry in found) <= MOST_BYTES, "unpacked")
    return sorted(found), start


def read_files(data):
    """The files of a dossier by name. Raises ValueError."""
    try:
        found, start = entries(data)
        files, seen, free = {}, set(), 0
        for head, name, _, version, flags, method, time, crc, packed, size, *_ in found:
            need(head == free, "gap")
            mark, needs, again, packing, clock, sum_, short, full, names, more = struct.unpack_from("<4s3HI3I2H", data, head)
            at = head + 30 + names + more
            need(at + packed <= start, "room")
            long, _ = extras(data[head + 30 + names : at])
            later = flags & 8
            need(mark == b"PK\3\4" and (again, packing, clock) == (flags, method, time), "head")
            need(needs == (45 if long is not None else 20 if version == 45 else version), "head")
            need(expand([full, short], long) == ([0, 0] if later else [size, packed]) and sum_ == (0 if later else crc), "head")
            need(name_of(data[head + 30 : head + 30 + names]) == name, "head")
            content = data[at : at + packed]
            if method == 8:
                unpacking = zlib.decompressobj(-15)
                content = unpacking.decompress(content, size + 1)
                need(unpacking.eof and not unpacking.unused_data and not unpacking.unconsumed_tail, "deflate")
            need(len(content) == size and zlib.crc32(content) == crc, "content")
            free = at + packed
            if later:
                forms = [struct.pack(form, *values) for form in ("<3I", "<I2Q") for values in [(crc, packed, size)] if form == "<I2Q" or max(packed, size) < 1 << 32]
                tail = next((each for form in forms for each in (b"PK\7\x08" + form, form) if data.startswith(each, free) and after(found, start, head) == free + len(each)), None)
                need(tail is not None, "descriptor")
                free += len(tail)
            key = name.rstrip("/").lower()
            need(key not in seen, "twice")
            seen.add(key)
            if not name.endswith("/"):
                files[name] = content
        need(free == start, "gap")
        return files
    except (struct.error, zlib.error) as error:
        raise Refused(str(error)) from error


def after(found, start, head):
    """Where the next file begins, or the directory."""
    return min([other[0] for other in found if other[0] > head], default=start)
