"""Reads the ZIP of a dossier after src/verifier/README.md only. zipfile passes over too much: here every byte has its meaning."""

import re
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
            need(kind in FREE_EXTRAS or (kind == 0xCAFE and size == 0), "extra")
            others = True
        data = data[4 + size :]
    return long, others


def expand(shorts, long, mark=0xFFFFFFFF):
    left = list(long or [])
    values = [left.pop(0) if value == mark and left else value for value in shorts]
    need(not left and not (long is None and mark in shorts), "lengths")
    return values


def name_of(raw, made):
    name = raw.decode("utf-8")
    if made >> 8 in (0, 6, 10):
        name = name.replace("\\", "/")
    parts = (name[:-1] if name.endswith("/") else name).split("/")
    need(len(name.encode("utf-16-le")) <= 510 and not any(part in ("", ".", "..") for part in parts), "name")
    need(not any(ord(char) < 32 or char in "\x7f\\:" for char in name), "name")
    return name


def directory(data):
    """Count, first byte and end of the directory, and the program that wrote its long form, or None."""
    need(22 <= len(data) <= MOST_BYTES, "length")
    at = len(data) - 22
    mark, disk, first, here, count, size, start, comment = struct.unpack_from("<4s4H2IH", data, at)
    need(mark == b"PK\5\6" and disk == first == comment == 0 and here == count, "end")
    if at < 20 or data[at - 20 : at - 16] != b"PK\6\7":
        need(start + size == at, "end")
        return count, start, at, None
    part, long_at, parts = struct.unpack_from("<IQI", data, at - 16)
    need(part == 0 and parts == 1 and long_at + 56 == at - 20, "long end")
    mark, length, made, version, one, two, here, full, full_size, full_start = struct.unpack_from("<4sQ2H2I4Q", data, long_at)
    need(mark == b"PK\6\6" and length == 44 and version == 45 and one == two == 0, "long end")
    need(here == full and count in (full, 0xFFFF) and size in (full_size, 0xFFFFFFFF) and start in (full_start, 0xFFFFFFFF), "long end")
    need(full_start + full_size == long_at, "long end")
    return full, full_start, long_at, made


def entries(data):
    count, at, end, maker = directory(data)
    need(count <= MOST_FILES and at <= end, "files")
    found, start = [], at
    while at < end:
        need(at + 46 <= end, "directory")
        (mark, made, version, flags, method, time, crc, packed, size, names, more, comment, disk, text, rights, head) = struct.unpack_from(
            "<4s4HI3I5H2I", data, at
        )
        need(mark == b"PK\1\2" and comment == disk == 0 and text < 2 and method in (0, 8), "entry")
        need(flags & ~0x80E == 0 and at + 46 + names + more <= end, "entry")
        name = name_of(data[at + 46 : at + 46 + names], made)
        long, others = extras(data[at + 46 + names : at + 46 + names + more])
        need(version in (10, 20, 45), "version")
        size, packed, head = expand([size, packed, head], long)
        folder = name.endswith("/")
        need(method == 8 or size == packed, "stored")
        need(not folder or (size == 0 and packed <= 2), "folder")
        need((rights >> 16) & 0o170000 in (0, 0o040000 if folder else 0o100000), "kind")
        found.append((head, name, made, version, flags, method, time, crc, packed, size, text, rights, others, long is not None))
        at += 46 + names + more
    need(at == end and len(found) == count, "directory")
    makers = {made for _, _, made, *_ in found}
    need(len(makers) <= 1 or OURS not in makers, "several programs")
    need(maker in makers | {None, 45, 0x032D}, "long end")
    ours = OURS in makers and all(not entry[5] and not entry[12] and not entry[1].endswith("/") for entry in found)
    if ours:
        need(all(entry[10:12] == (0, 0o100644 << 16) and not entry[4] & 6 for entry in found), "not as written")
        need(all(entry[3] == 45 if entry[13] else entry[3] in (10, 20) for entry in found), "not as written")
    need(sum(entry[9] for entry in found) <= MOST_BYTES, "unpacked")
    return sorted(found), start, ours


def lengths_of(shorts, long, ours):
    """The lengths that a file's own head says: the short ones, and the long ones of those that have no room, or of both."""
    if long is None or ours or len(long) != 2:
        return [(value,) for value in expand(shorts, long)]
    return [(value,) if short == 0xFFFFFFFF else (short, value) for short, value in zip(shorts, long)]


def read_files(data):
    """The files of a dossier by name. Raises ValueError."""
    try:
        found, start, ours = entries(data)
        files, seen, free = {}, set(), 0
        for head, name, made, version, flags, method, time, crc, packed, size, *_ in found:
            need(head == free, "gap")
            mark, needs, again, packing, clock, sum_, short, full, names, more = struct.unpack_from("<4s3HI3I2H", data, head)
            at = head + 30 + names + more
            need(at + packed <= start, "room")
            long, _ = extras(data[head + 30 + names : at])
            later = flags & 8
            need(mark == b"PK\3\4" and (again, packing, clock) == (flags, method, time), "head")
            need(needs == (45 if long is not None else 20 if version == 45 else version) if ours else needs in (10, 20, 45), "head")
            known = lambda value: (0,) if later and ours else (0, value) if later else (value,)
            said = lengths_of([full, short], long, ours)
            need(all(each in known(value) for values, value in zip(said, (size, packed)) for each in values), "head")
            need(sum_ in known(crc) and name_of(data[head + 30 : head + 30 + names], made) == name, "head")
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


OF_SYSTEMS = re.compile(r"__MACOSX/(?:.*/)?\._[^/]+\Z|(?:.*/)?(?:\.DS_Store|Thumbs\.db|desktop\.ini)\Z")


def read_dossier(data):
    """The files of a dossier that somebody may have packed anew: in a folder, and beside files that systems add."""
    files = {name: content for name, content in read_files(data).items() if not OF_SYSTEMS.match(name)}
    folder = next(iter(files), "").split("/")[0] + "/"
    if folder + "evidence.json" in files and all(name.startswith(folder) for name in files):
        return {name[len(folder) :]: content for name, content in files.items()}
    return files


def after(found, start, head):
    """Where the next file begins, or the directory."""
    return min([other[0] for other in found if other[0] > head], default=start)
