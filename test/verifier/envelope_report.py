"""Checks evidence.json of an envelope's report after src/verifier/README.md only: nothing of Selo, nothing installed.

    envelope_report.py FILE EVIDENCE.json KEYS.json
    envelope_report.py DOSSIER.zip KEYS.json

Answers one line of JSON: which document the file is (final, original, neither; null for a dossier), what is wrong, and what is proved where nothing is:
"completed", "ended", or null. Of a dossier also the ids of the participants whose personal data sealed events say were erased.
"""

import base64
import functools
import hashlib
import json
import re
import sys

from audit_trail import SEAL, check_chain
from dossier_zip import read_dossier
from independent_verifier import TEXTS, canonical, decode, read_keys
import fips204
import rfc8032

SHARED = ["tenant_id", "environment", "envelope_id", "verification_code"]
FIXED = {
    "schema_version": 1,
    "hash_algorithm": "SHA-256",
    "time_source": "platform_server_clock_utc",
    "hybrid_policy": "AND",
}


ENDS = ["declined", "cancelled", "expired", "failed"]
HEX = "[0-9a-f]{64}"


@functools.lru_cache(maxsize=512)
def is_signed(algorithm, key, message, signature):
    return {"Ed25519": rfc8032, "ML-DSA-87": fips204}[algorithm].verify(key, message, signature)


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
    for algorithm, name in [("Ed25519", "key_id"), ("ML-DSA-87", "pq_key_id")]:
        item = signatures[algorithm]
        key = keys.get(item["key_id"])
        if item["key_id"] != members[name] or key is None:
            faults.append(f"{algorithm}: another key")
        elif not is_signed(algorithm, key[0], signed["payload"].encode(), decode(item["signature"])):
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


def check_addresses(events):
    for event in events:
        for name, piece in event.get("openings", {}).items():
            said = hashlib.sha256(bytes.fromhex(piece["salt"]) + piece["value"].encode()).hexdigest()
            if not re.fullmatch("[0-9a-f]{32}", piece["salt"]) or event["commitments"].get(name) != said:
                return ["events have other openings"]
            if name == "address" and piece["value"] != event["address"]:
                return ["an event has another address"]
    return []


def is_count(value):
    return type(value) is int and 0 <= value < 1 << 53


def inclusion(leaf, path):
    """The root that RFC 9162 §2.1.3.2 leads to."""
    index, size, hashes = path["index"], path["size"], path["hashes"]
    if not (is_count(index) and is_count(size) and index < size and all(re.fullmatch(HEX, each) for each in hashes)):
        raise ValueError("path")
    node, last, root = index, size - 1, hashlib.sha256(b"\0" + leaf).digest()
    for beside in map(bytes.fromhex, hashes):
        if last == 0:
            raise ValueError("path")
        if node & 1 or node == last:
            root = hashlib.sha256(b"\1" + beside + root).digest()
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\1" + root + beside).digest()
        node, last = node >> 1, last >> 1
    if last:
        raise ValueError("path")
    return root


def check_seal(given, about, hashes, keys):
    """What is wrong with seal.json, and how many events the seal covers."""
    seal, leaf = given["seal"], given["leaf"]
    evidence = seal["evidence"]
    names = [("Ed25519", "platform_key_id", "platform_signature"), ("ML-DSA-87", "platform_pq_key_id", "platform_signature_pq")]
    signatures = [{"algorithm": algorithm, "key_id": seal[key], "signature": seal[name]} for algorithm, key, name in names]
    shared = {name: value for name, value in SEAL.items() if name != "kind"}
    members, faults = check_signed({"payload": canonical(evidence), "signatures": signatures}, "audit_seal", keys)
    if any(members.get(name) != value for name, value in shared.items()):
        faults.append("is none")
    if any(seal[name] != members[name] for name in ("number", "sealed_at", "chains", "root")):
        faults.append("says something else beside its signatures")
    if not (is_count(members["number"]) and is_count(members["chains"]) and members["number"] and members["chains"]):
        faults.append("has no number")
    if not (re.fullmatch(TEXTS["registered_at"], members["sealed_at"], re.ASCII) and re.fullmatch(HEX, members["root"])):
        faults.append("has no time or no root")
    seq, digest = leaf["seq"], leaf["hash"]
    if not (is_count(seq) and 1 <= seq <= len(hashes) and hashes[seq - 1] == digest):
        return [*faults, "is of no event of the chain"], None
    ids = [bytes.fromhex(about[name].replace("-", "")) for name in ("envelope_id", "tenant_id")]
    organization = inclusion(ids[0] + seq.to_bytes(8, "big") + bytes.fromhex(digest), given["organization_path"])
    if inclusion(ids[1] + organization, given["seal_path"]).hex() != members["root"]:
        faults.append("does not have the chain")
    return faults, seq


ENDINGS = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg"}
OTHERS = {"report.pdf", "evidence.json", "keys.json", "LEIA-ME.txt", "README.txt", "SHA256SUMS"}


def certificates_in(text):
    """The SHA-256 of each certificate of a file in PEM."""
    blocks = re.findall("-----BEGIN CERTIFICATE-----\n(.*?)\n-----END CERTIFICATE-----\n", text, re.S)
    return [hashlib.sha256(base64.b64decode(block.replace("\n", ""), validate=True)).hexdigest() for block in blocks]


def check_files(files, listed, signed, is_completed, records):
    """What is wrong with the files of a dossier. Signed are the documents of the completion or of a record; records are those of nobody erased."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    expected = OTHERS | ({"seal.json"} & set(files))
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
    named = list(dict.fromkeys(digest for record in records for digest in record.get("certificate_path", [])))
    if named:
        expected.add("certificates.pem")
        try:
            if certificates_in(files.get("certificates.pem", b"").decode()) != named:
                return ["has other certificates"]
        except ValueError:
            return ["has certificates that cannot be read"]
    for answer in (answer for record in records for answer in record.get("revocation", {}).get("answers", [])):
        expected.add(f"revocation/{answer['sha256']}.{answer['kind']}")
        if digests.get(f"revocation/{answer['sha256']}.{answer['kind']}") != answer["sha256"]:
            return ["has another answer of an issuer"]
    for attachment in (attachment for record in records for attachment in record.get("attachments", [])):
        name = f"attachments/{attachment['field_id']}.{ENDINGS[attachment['type']]}"
        expected.add(name)
        if (digests.get(name), len(files.get(name, b""))) != (attachment["sha256"], attachment["size"]):
            return ["has another attachment"]
    if (signed and len(signed) != len(listed)) or set(files) != expected:
        return ["has other files"]
    sums = sorted(re.sub("\n$", "", files["SHA256SUMS"].decode()).split("\n"))
    return [] if sums == sorted(f"{digests[name]}  {name}" for name in files if name != "SHA256SUMS") else ["SHA256SUMS"]


def has_files(members):
    return bool(members.get("attachments") or members.get("certificate_path") or members.get("revocation", {}).get("answers"))


def erased_in(given, covered):
    """The participants whom sealed events say erased, and those of whom the evidence alone says it."""
    erased = {e["details"]["participant_id"] for e in given["events"][:covered] if e["action"] == "envelope.participant_erased"}
    named = [(json.loads(record["payload"])["participant_id"], record.get("erased_at")) for record in given["records"]]
    return {each for each, _ in named if each in erased}, {each for each, at in named if isinstance(at, str) and each not in erased}


def check_evidence(given, known, sealed=None):
    """What is wrong with evidence.json, its documents, what is proved, and how many of its events a seal covers. Sealed is seal.json."""
    faults, end = [], None
    # They prove nothing, and one that is none makes the file unreadable.
    read_keys(given.get("keys") or [])
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
    if len({members["participant_id"] for members in records}) != len(records):
        faults.append("two records of one participant")
    events = given["events"]
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        faults.append("events are missing, or in another order")
    hashes, broken = check_chain(events, about["tenant_id"], about["environment"])
    faults += broken + check_addresses(events)
    if any((event["subject_type"], event["subject_id"]) != ("envelope", about["envelope_id"]) for event in events):
        faults.append("events of another envelope")
    length = end["chain"]["length"] if end else len(hashes)
    signed = [e["details"] for e in events[:length] if e["action"] == "envelope.participant_signed"]
    made = [(details.get("record_id"), details.get("evidence_sha256")) for details in signed]
    for record in named:
        if (record["record_id"], record["sha256"]) not in made:
            faults.append(f"record {record['record_id']}: is not in the chain")
    covered = None
    if sealed is not None:
        found, covered = check_seal(sealed, about, hashes, known)
        faults += [f"seal: {fault}" for fault in found]
    if end:
        by_id = lambda record: record["record_id"]
        if sorted(end["records"], key=by_id) != sorted(named, key=by_id):
            faults.append("completion: is of other records")
        after = events[length] if len(events) > length else {"action": None, "details": {}}
        if len(events) > max(length + 1, covered or 0):
            faults.append("events after the completion")
        said = (after["action"], after["details"].get("record_id"), after["details"].get("evidence_sha256"))
        if hashes[length - 1 : length] != [end["chain"]["head_hash"]] or said != ("envelope.completed", end["record_id"], sha256(given["payload"])):
            faults.append("completion: is of another chain")
        return faults, documents, "completed", covered or 0
    if any(event["action"] == "envelope.completed" for event in events):
        faults.append("the completion is missing")
    if covered != len(hashes):
        return faults, documents, None, covered or 0
    moves = [e["action"] for e in events if e["action"] in ["envelope.sent", *(f"envelope.{status}" for status in ENDS)]]
    if not moves or moves[-1] == "envelope.sent":
        return faults, documents, None, covered
    if len(signed) != len(records):
        faults.append("records are missing")
    sent = next((event["details"] for event in events if event["action"] == "envelope.sent"), {})
    documents = documents or sent.get("documents", [])
    # Of a test nothing is proved.
    return faults, documents, "ended" if documents and about["environment"] == "live" else None, covered


def check_dossier(data, known):
    """What is wrong with a dossier, what it proves, and the participants whom a seal says erased."""
    try:
        files = read_dossier(data)
        given = json.loads(files["evidence.json"])
        sealed = json.loads(files["seal.json"]) if "seal.json" in files else None
        faults, documents, proved, covered = check_evidence(given, known, sealed)
        records = [json.loads(record["payload"]) for record in given["records"]]
        erased, said = erased_in(given, covered)
        left = [record for record in records if record["participant_id"] not in erased | said]
        faults += check_files(files, given["documents"], documents, "payload" in given, left)
        if any(record["participant_id"] in said and has_files(record) for record in records):
            proved = None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        return [f"cannot be read: {error!r}"], None, []
    return faults, None if faults else proved, [] if faults else sorted(erased)


def main(file, *others):
    *evidence, keys = others
    with open(keys, encoding="utf-8") as opened:
        known = read_keys(json.load(opened)["platform_keys"])
    with open(file, "rb") as opened:
        content = opened.read()
    if not evidence:
        faults, proved, erased = check_dossier(content, known)
        print(json.dumps({"file": None, "faults": faults, "proved": proved, "erased": erased}))
        return
    with open(evidence[0], encoding="utf-8") as opened:
        faults, documents, *_ = check_evidence(json.load(opened), known)
    digest = hashlib.sha256(content).hexdigest()
    is_final = any(document.get("final_sha256") == digest for document in documents)
    is_original = any(document["sha256"] == digest for document in documents)
    print(json.dumps({"file": "final" if is_final else "original" if is_original else "neither", "faults": faults}))


if __name__ == "__main__":
    main(*sys.argv[1:])
