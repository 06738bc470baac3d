"""Checks what GET /envelopes/{id}/evidence answers: nothing of Selo, nothing installed.

    envelope_evidence.py EVIDENCE.json KEYS.json

KEYS.json: `GET /api/v1/public/platform-key`. EVIDENCE.json may have a member `openings`, {record id: {name: {salt, value}}}. Answers one line
of JSON: what is wrong.
"""

import hashlib
import json
import sys

from audit_trail import check_chain
from independent_verifier import canonical, decode, read_keys
import fips204
import rfc8032

SIGNED = {
    "schema_version": 1,
    "hash_algorithm": "SHA-256",
    "time_source": "platform_server_clock_utc",
    "hybrid_policy": "AND",
}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def check_record(record, kind, envelope, events, keys):
    evidence = record["evidence"]
    text = canonical(evidence)
    faults = []
    if any(evidence.get(name) != value for name, value in {**SIGNED, "kind": kind}.items()):
        faults.append("is none")
    if (evidence["record_id"], evidence["envelope_id"], evidence["verification_code"]) != (record["id"], envelope["id"], envelope["verification_code"]):
        faults.append("is of another envelope")
    ed25519, ml_dsa_87 = keys.get(evidence["key_id"]), keys.get(evidence["pq_key_id"])
    if ed25519 is None or not rfc8032.verify(ed25519[0], text.encode(), decode(record["platform_signature"])):
        faults.append("Ed25519")
    if ml_dsa_87 is None or not fips204.verify(ml_dsa_87[0], text.encode(), decode(record["platform_signature_pq"])):
        faults.append("ML-DSA-87")
    action = "envelope.completed" if kind == "envelope_completed" else "envelope.participant_signed"
    made = [event for event in events if event["action"] == action and event["details"]["record_id"] == record["id"]]
    if [event["details"]["evidence_sha256"] for event in made] != [sha256(text)]:
        faults.append("is not what the chain says")
    return faults


def check_openings(record, openings):
    evidence = record["evidence"]
    said = dict(evidence["commitments"])
    if evidence["signature_sha256"] is not None:
        said["signature"] = evidence["signature_sha256"]
    opened = {
        name: hashlib.sha256(bytes.fromhex(piece["salt"]) + piece["value"].encode()).hexdigest() for name, piece in openings.items()
    }
    return [] if said == opened else ["has other openings"]


def main(evidence, keys):
    def read(name):
        with open(name, encoding="utf-8") as opened:
            return json.load(opened)

    given, known = read(evidence), read_keys(read(keys)["platform_keys"])
    events, envelope = given["events"], given["envelope"]
    all_records = given["records"] + ([given["completion"]] if given["completion"] else [])
    tenant = all_records[0]["evidence"]["tenant_id"]
    hashes, faults = check_chain(events, tenant, all_records[0]["evidence"]["environment"])
    if (given["chain"]["length"], given["chain"]["head_hash"]) != (len(hashes), hashes[-1]):
        faults.append("the chain has another head")
    documents = [(document["document_id"], document["sha256"]) for document in given["documents"]]
    for record in given["records"]:
        found = check_record(record, "signature_record", envelope, events, known)
        if [(document["document_id"], document["sha256"]) for document in record["evidence"]["documents"]] != documents:
            found.append("is of other documents")
        if "openings" in given:
            found += check_openings(record, given["openings"][record["id"]])
        faults += [f"record {record['id']}: {fault}" for fault in found]
    end = given["completion"]
    if end is not None:
        found = check_record(end, "envelope_completed", envelope, events, known)
        if end["evidence"]["records"] != [{"record_id": record["id"], "sha256": sha256(canonical(record["evidence"]))} for record in given["records"]]:
            found.append("is of other records")
        length = end["evidence"]["chain"]["length"]
        if end["evidence"]["chain"]["head_hash"] != hashes[length - 1] or events[length]["action"] != "envelope.completed":
            found.append("is of another chain")
        faults += [f"completion: {fault}" for fault in found]
    print(json.dumps(faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
