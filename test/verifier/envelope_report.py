"""Checks evidence.json of an envelope's report after src/verifier/README.md only: nothing of Selo, nothing installed.

    envelope_report.py FILE EVIDENCE.json KEYS.json
    envelope_report.py DOSSIER.zip KEYS.json

Answers one line of JSON: which document the file is (final, original, neither; null for a dossier), and what is wrong.
"""

import hashlib
import io
import json
import re
import sys
import zipfile

from audit_trail import check_chain
from independent_verifier import canonical, decode, read_keys
import fips204
import rfc8032

SHARED = ["tenant_id", "environment", "envelope_id", "verification_code"]
FIXED = {
    "schema_version": 1,
    "hash_algorithm": "SHA-256",
    "time_source": "platform_server_clock_utc",
    "hybrid_policy": "AND",
}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def check_signed(signed, kind, keys):
    faults = []
    members = json.loads(signed["payload"])
    if canonical(members) != signed["payload"]:
        faults.append("is not canonical")
    if any(members.get(name) != value for name, value in {**FIXED, "kind": kind}.items()):
        faults.append("is none")
    signatures = {item["algorithm"]: item for item in signed["signatures"]}
    if len(signed["signatures"]) != 2 or set(signatures) != {"Ed25519", "ML-DSA-87"}:
        return members, [*faults, "has not two signatures"]
    for algorithm, name, module in [("Ed25519", "key_id", rfc8032), ("ML-DSA-87", "pq_key_id", fips204)]:
        item = signatures[algorithm]
        key = keys.get(item["key_id"])
        if item["key_id"] != members[name] or key is None:
            faults.append(f"{algorithm}: another key")
        elif not module.verify(key[0], signed["payload"].encode(), decode(item["signature"])):
            faults.append(algorithm)
    return members, faults


def check_openings(members, openings):
    for name, piece in openings.items():
        said = members["signature_sha256"] if name == "signature" else members["commitments"].get(name)
        if not re.fullmatch("[0-9a-f]{32}", piece["salt"]):
            return ["has a salt of another form"]
        if said != hashlib.sha256(bytes.fromhex(piece["salt"]) + piece["value"].encode()).hexdigest():
            return ["has other openings"]
    return []


OTHERS = {"report.pdf", "evidence.json", "keys.json", "LEIA-ME.txt", "README.txt", "SHA256SUMS"}


def read_dossier(file):
    """The files of a dossier by name. zipfile compares the checksum of each."""
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(set(names)) != len(names) or any(".." in name.split("/") for name in names):
            raise ValueError("names")
        return {name: archive.read(name) for name in names}


def check_files(files, listed, signed, is_completed):
    """What is wrong with the files of a dossier. Signed are the documents of the completion or of a record."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    expected = set(OTHERS)
    for place, document in enumerate(listed):
        said = signed[place] if place < len(signed) else document
        final = said.get("final_sha256") if is_completed else None
        if (document["position"], document["document_id"], document["sha256"], document["final_sha256"]) != (
            place + 1, said["document_id"], said["sha256"], final,
        ):
            return ["lists other documents"]
        name = f"{place + 1}-{said['document_id']}.pdf"
        for folder, digest in [("originals", said["sha256"]), ("final", final)]:
            if digest is not None:
                expected.add(f"{folder}/{name}")
                if digests.get(f"{folder}/{name}") != digest:
                    return [f"{folder}/{name} is another file"]
    if (signed and len(signed) != len(listed)) or set(files) != expected:
        return ["has other files"]
    sums = sorted(files["SHA256SUMS"].decode().splitlines())
    return [] if sums == sorted(f"{digests[name]}  {name}" for name in files if name != "SHA256SUMS") else ["SHA256SUMS"]


def main(file, *others):
    *evidence, keys = others
    files, digest = None, None
    try:
        files = None if evidence else read_dossier(file)
        with open(evidence[0], "rb") if evidence else io.BytesIO(files["evidence.json"]) as opened:
            given = json.load(opened)
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        print(json.dumps({"file": None, "faults": [f"cannot be read: {error}"]}))
        return
    with open(keys, encoding="utf-8") as opened:
        known = read_keys(json.load(opened)["platform_keys"])
    if evidence:
        with open(file, "rb") as opened:
            digest = hashlib.sha256(opened.read()).hexdigest()
    faults, end = [], None
    if "payload" in given:
        end, faults = check_signed(given, "envelope_completed", known)
        faults = [f"completion: {fault}" for fault in faults]
    about = end or given["envelope"]
    records, named = [], []
    for record in given["records"]:
        members, found = check_signed(record, "signature_record", known)
        found += check_openings(members, record.get("openings") or {})
        if any(members[name] != about.get(name, members[name]) for name in SHARED):
            found.append("is of another envelope")
        records.append(members)
        named.append({"record_id": members["record_id"], "sha256": sha256(record["payload"])})
        faults += [f"record {members['record_id']}: {fault}" for fault in found]
    documents = (end or (records or [{}])[0]).get("documents", [])
    pairs = [(document["document_id"], document["sha256"]) for document in documents]
    for members in records:
        if [(document["document_id"], document["sha256"]) for document in members["documents"]] != pairs:
            faults.append(f"record {members['record_id']}: is of other documents")
    hashes, broken = check_chain(given["events"], about["tenant_id"], about["environment"])
    faults += broken
    if any(event["subject_id"] != about["envelope_id"] for event in given["events"]):
        faults.append("events of another envelope")
    length = end["chain"]["length"] if end else len(hashes)
    made = [(e["details"].get("record_id"), e["details"].get("evidence_sha256")) for e in given["events"][:length]]
    for record in named:
        if (record["record_id"], record["sha256"]) not in made:
            faults.append(f"record {record['record_id']}: is not in the chain")
    if end:
        by_id = lambda record: record["record_id"]
        if sorted(end["records"], key=by_id) != sorted(named, key=by_id):
            faults.append("completion: is of other records")
        after = given["events"][length]["details"] if len(given["events"]) > length else {}
        if len(given["events"]) > length + 1:
            faults.append("events after the completion")
        if hashes[length - 1 : length] != [end["chain"]["head_hash"]] or after.get("evidence_sha256") != sha256(given["payload"]):
            faults.append("completion: is of another chain")
    if files is not None:
        print(json.dumps({"file": None, "faults": faults + check_files(files, given["documents"], documents, end is not None)}))
        return
    is_final = any(document.get("final_sha256") == digest for document in documents)
    is_original = any(document["sha256"] == digest for document in documents)
    print(json.dumps({"file": "final" if is_final else "original" if is_original else "neither", "faults": faults}))


if __name__ == "__main__":
    main(*sys.argv[1:])
