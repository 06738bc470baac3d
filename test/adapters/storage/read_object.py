"""Reads an encrypted object by the README of src/adapters/storage, with the package `cryptography`.

python3 read_object.py <file> <data key in hex> <use> <id>: the content on standard output, or status 1.
"""

import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

file, data_key, use, object_id = sys.argv[1:]
with open(file, "rb") as stored:
    header, body = stored.read(40), stored.read()
if header[:8] != b"seloobj\x01":
    sys.exit("not an object of version 1")
info = f"selo object 1 {use} {object_id}".encode()
key = HKDF(SHA256(), 32, salt=header[8:], info=info).derive(bytes.fromhex(data_key))

content = b""
chunks = [body[at : at + 65_552] for at in range(0, len(body), 65_552)]
for index, chunk in enumerate(chunks):
    is_last = index == len(chunks) - 1
    nonce = bytes(7) + index.to_bytes(4, "big") + bytes([is_last])
    try:
        content += AESGCM(key).decrypt(nonce, chunk, header)
    except InvalidTag:
        sys.exit(f"chunk {index} is not authentic")
sys.stdout.buffer.write(content)
