"""Checks seal.json of an unpacked dossier beside its evidence.json, written from RFC 9162 alone: prints {"faults": [...]}.

Usage: seal_path.py FOLDER
"""

import hashlib
import json
import pathlib
import sys
import uuid


def sha256(data):
    return hashlib.sha256(data).digest()


def root_of(leaf, path):
    """RFC 9162, section 2.1.3.2: the root that an inclusion proof leads to; None for a proof that is too short or too long."""
    index, size = path["index"], path["size"]
    if index >= size:
        return None
    node, last, result = index, size - 1, sha256(b"\x00" + leaf)
    for each in path["hashes"]:
        sibling = bytes.fromhex(each)
        if last == 0:
            return None
        if node & 1 or node == last:
            result = sha256(b"\x01" + sibling + result)
            while not node & 1 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            result = sha256(b"\x01" + result + sibling)
        node, last = node >> 1, last >> 1
    return result if last == 0 else None


folder = pathlib.Path(sys.argv[1])
told = json.loads((folder / "seal.json").read_text())
evidence = json.loads((folder / "evidence.json").read_text())
faults = []
if set(told) != {"seal", "leaf", "organization_path", "seal_path", "dated", "witnessed"}:
    faults.append("members")
last = evidence["events"][-1]
if (last["seq"], last["hash"]) != (told["leaf"]["seq"], told["leaf"]["hash"]):
    faults.append("the events do not end with the sealed head")
if any(event["sealed_by"] is None or event["sealed_by"] > told["seal"]["number"] for event in evidence["events"]):
    faults.append("sealed_by")
about = json.loads(evidence["payload"]) if "payload" in evidence else evidence["envelope"]
leaf = uuid.UUID(about["envelope_id"]).bytes + told["leaf"]["seq"].to_bytes(8, "big") + bytes.fromhex(told["leaf"]["hash"])
organization = root_of(leaf, told["organization_path"])
if organization is None:
    faults.append("organization_path")
else:
    root = root_of(uuid.UUID(about["tenant_id"]).bytes + organization, told["seal_path"])
    if root is None or root.hex() != told["seal"]["evidence"]["root"]:
        faults.append("seal_path")
print(json.dumps({"faults": faults}))
