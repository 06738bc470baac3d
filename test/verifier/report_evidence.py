"""Checks the attachment of an evidence report: nothing of Selo, nothing installed.

    report_evidence.py EVIDENCE.json KEYS.json

KEYS.json: `GET /api/v1/public/platform-key`. Answers one line of JSON: what holds. Stops at the first fault.
"""

import hashlib
import json
import sys

from audit_trail import check_chain
from independent_verifier import canonical, decode, read_keys
import fips204
import rfc8032


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def check_signed(signed, keys, kind):
    payload = signed["payload"]
    evidence = json.loads(payload)
    assert canonical(evidence) == payload, "not canonical"
    assert evidence["kind"] == kind, "of another kind"
    assert [one["algorithm"] for one in signed["signatures"]] == ["Ed25519", "ML-DSA-87"], "other signatures"
    assert [one["key_id"] for one in signed["signatures"]] == [evidence["key_id"], evidence["pq_key_id"]], "other keys"
    classic, quantum = signed["signatures"]
    assert rfc8032.verify(keys[classic["key_id"]][0], payload.encode(), decode(classic["signature"])), "Ed25519"
    assert fips204.verify(keys[quantum["key_id"]][0], payload.encode(), decode(quantum["signature"])), "ML-DSA-87"
    return evidence


def main(evidence, keys):
    def read(name):
        with open(name, encoding="utf-8") as opened:
            return json.load(opened)

    given, known = read(evidence), read_keys(read(keys)["platform_keys"])
    published = {key["key_id"]: key["public_key"] for key in read(keys)["platform_keys"]}
    assert all(published[key["key_id"]] == key["public_key"] for key in given["keys"]), "unpublished keys"
    opened = 0
    records = [check_signed(record, known, "signature_record") for record in given["records"]]
    for said, record in zip(records, given["records"]):
        for name, piece in record["openings"].items():
            digest = hashlib.sha256(bytes.fromhex(piece["salt"]) + piece["value"].encode()).hexdigest()
            assert said["commitments"][name] == digest, "another " + name
            opened += 1
    end = check_signed(given, known, "envelope_completed") if "payload" in given else None
    place = end if end is not None else given["envelope"]
    hashes, faults = check_chain(given["events"], place["tenant_id"], place["environment"])
    assert faults == [], faults
    assert all(event["subject_id"] == place["envelope_id"] for event in given["events"]), "another chain"
    if end is not None:
        assert end["chain"]["head_hash"] == hashes[end["chain"]["length"] - 1], "another chain"
        assert end["records"] == [{"record_id": said["record_id"], "sha256": sha256(record["payload"])} for said, record in zip(records, given["records"])], "other records"
    print(json.dumps({"records": len(records), "completed": end is not None, "opened": opened, "chained": True}))


if __name__ == "__main__":
    main(*sys.argv[1:])
