"""Checks a chain of the audit trail after src/verifier/README.md only: nothing of Selo, nothing installed.

    audit_trail.py EVENTS.json SEALS.json KEYS.json

EVENTS.json: `GET /api/v1/audit?subject_id=…`, all pages' items; SEALS.json: `GET /api/v1/public/audit-seals`; KEYS.json:
`GET /api/v1/public/platform-key`. Answers one line of JSON: the hashes computed, and what is wrong.
"""

import hashlib
import json
import sys

from independent_verifier import canonical, decode, read_keys
import fips204
import rfc8032

SEAL = {
    "kind": "audit_seal",
    "schema_version": 1,
    "hash_algorithm": "SHA-256",
    "tree": "RFC 9162",
    "time_source": "platform_server_clock_utc",
    "hybrid_policy": "AND",
}


def event_text(event, tenant_id, environment):
    return canonical(
        {
            "kind": "audit_event",
            "schema_version": 1,
            "event_id": event["id"],
            "tenant_id": tenant_id,
            "environment": environment,
            "subject": {"type": event["subject_type"], "id": event["subject_id"]},
            "seq": event["seq"],
            "action": event["action"],
            "actor": {"type": event["actor_type"], "id": event["actor_id"]},
            "channel": event["channel"],
            "request_id": event["request_id"],
            "occurred_at": event["occurred_at"],
            "details": event["details"],
            "commitments": event["commitments"],
        }
    )


def check_chain(events, tenant_id, environment):
    faults, hashes, before = [], [], bytes(32)
    for place, event in enumerate(sorted(events, key=lambda event: event["seq"]), 1):
        text = event_text(event, tenant_id, environment)
        computed = hashlib.sha256(bytes.fromhex(event["prev_hash"]) + text.encode()).digest()
        hashes.append(computed.hex())
        if event["seq"] != place:
            faults.append(f"event {place} is missing")
        if event["hash"] != computed.hex():
            faults.append(f"event {event['seq']} was edited")
        if event["prev_hash"] != before.hex():
            faults.append(f"event {event['seq']} does not continue the one before it")
        before = computed
    return hashes, faults


def check_seals(seals, keys):
    faults, before = [], None
    for place, seal in enumerate(sorted(seals, key=lambda seal: seal["number"]), 1):
        evidence = seal["evidence"]
        payload = canonical(evidence).encode()
        if any(evidence.get(name) != value for name, value in SEAL.items()) or evidence["number"] != place:
            faults.append(f"seal {place} is none")
        if evidence["previous"] != before:
            faults.append(f"seal {place} does not name the one before it")
        ed25519, ml_dsa_87 = keys.get(evidence["key_id"]), keys.get(evidence["pq_key_id"])
        if ed25519 is None or not rfc8032.verify(ed25519[0], payload, decode(seal["platform_signature"])):
            faults.append(f"seal {place}: Ed25519")
        if ml_dsa_87 is None or not fips204.verify(ml_dsa_87[0], payload, decode(seal["platform_signature_pq"])):
            faults.append(f"seal {place}: ML-DSA-87")
        before = hashlib.sha256(payload).hexdigest()
    return faults


def merkle_root(leaves):
    """RFC 9162 §2.1.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + merkle_root(leaves[:k]) + merkle_root(leaves[k:])).digest()


def sealed_root(heads):
    """Of all chains, as their owner has them: {tenant id: [(subject id, environment, seq, hash)]}."""
    roots = []
    for tenant, chains in sorted((bytes.fromhex(tenant.replace("-", "")), chains) for tenant, chains in heads.items()):
        ordered = sorted((bytes.fromhex(subject.replace("-", "")), environment, seq, head) for subject, environment, seq, head in chains)
        roots.append(tenant + merkle_root([s + seq.to_bytes(8, "big") + bytes.fromhex(head) for s, _, seq, head in ordered]))
    return merkle_root(roots).hex()


def main(events, seals, keys):
    def read(name):
        with open(name, encoding="utf-8") as opened:
            return json.load(opened)

    given, listed = read(events), read(seals)
    hashes, faults = check_chain(given["items"], given["tenant_id"], given["environment"])
    faults += check_seals(listed["items"], read_keys(read(keys)["platform_keys"]))
    root = sealed_root(given["heads"]) if "heads" in given else None
    print(json.dumps({"hashes": hashes, "faults": faults, "root": root}))


if __name__ == "__main__":
    main(*sys.argv[1:])
