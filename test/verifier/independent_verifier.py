"""A verifier of proofs of existence after src/verifier/README.md, RFC 8032 and FIPS 204 only: nothing of Selo, nothing installed.

    independent_verifier.py FILE KEYS.json PROOF.json...

answers one line of JSON for each proof: its checks, the environment of its keys and the verdict. With "-" in place of
KEYS.json no keys are trusted.
"""

import base64
import functools
import hashlib
import json
import os
import re
import sys

import fips204
import rfc8032

FIXED = {
    "kind": "existence_proof",
    "schema_version": 1,
    "hash_algorithm": "SHA-256",
    "time_source": "platform_server_clock_utc",
    "hybrid_policy": "AND",
}
UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
TEXTS = {
    "proof_id": UUID,
    "tenant_id": UUID,
    "organization": "(?s:.+)",
    "sha256": "[0-9a-f]{64}",
    "registered_at": r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}\+00:00",
    "verification_code": "([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}",
    "key_id": "ed25519-[0-9a-f]{16}",
    "pq_key_id": "ml-dsa-87-[0-9a-f]{16}",
}
OPTIONAL = {"label": str, "file_name": str, "file_size": int}
REDACTABLE = ["file_name", "file_size"]
ALGORITHMS = {"Ed25519": ("ed25519-", 32), "ML-DSA-87": ("ml-dsa-87-", 2592)}


def decode(text):
    raw = base64.b64decode(text, validate=True)
    if base64.b64encode(raw).decode() != text:
        raise ValueError("not canonical base64")
    return raw


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def key_id(algorithm, public_key):
    prefix, length = ALGORITHMS[algorithm]
    if len(public_key) != length:
        raise ValueError("a key of another length")
    return prefix + hashlib.sha256(public_key).hexdigest()[:16]


def read_keys(items):
    """{key id: (public key, what it is said to seal, when it is said to have been made)}"""
    keys = {}
    for item in items:
        if item.get("algorithm", "Ed25519") not in ALGORITHMS:
            continue
        public_key = decode(item["public_key"])
        algorithm = next((a for a, (_, length) in ALGORITHMS.items() if length == len(public_key)), None)
        if algorithm is None or item.get("algorithm", algorithm) != algorithm:
            raise ValueError("a key of another length")
        computed = key_id(algorithm, public_key)
        if item.get("key_id", computed) != computed:
            raise ValueError("a key with another's id")
        _, said, made = keys.get(computed, (public_key, set(), set()))
        created = {instant(item.get("created_at"))} - {None}
        keys[computed] = (public_key, said | ({item.get("environment")} & {"live", "test"}), made | created)
    return keys


def instant(text):
    """A text that compares as the instant does, or None."""
    found = type(text) is str and re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?)(Z|\+00:00)", text, re.ASCII)
    return found[1] if found else None


def read_signature(algorithm, named, signature):
    if algorithm not in ALGORITHMS or type(named) is not str:
        raise ValueError("a signature of nobody")
    return algorithm, named, decode(signature)


def refuse_without_canonical_form(value, depth=0):
    if type(value) is float or type(value) is int and abs(value) >= 2**53:
        raise ValueError("not an integer that all languages have")
    if type(value) is str and ("\0" in value or value.encode("utf-8", "surrogatepass") != value.encode("utf-8", "replace")):
        raise ValueError("not a text")
    if type(value) in (dict, list):
        if depth >= 64:
            raise ValueError("too deep")
        for inner in value if type(value) is list else [*value.keys(), *value.values()]:
            refuse_without_canonical_form(inner, depth + 1)


def read_proof(proof):
    """(payload or None, members, names left out, [(algorithm, key id, signature)], delivered keys)"""
    if isinstance(proof.get("payload"), str):
        signatures = [read_signature(s["algorithm"], s["key_id"], s["signature"]) for s in proof["signatures"]]
        return proof["payload"], json.loads(proof["payload"]), [], signatures, read_keys(proof.get("keys", []))
    members = proof["evidence"]
    redacted = [name for name in REDACTABLE if name in proof.get("redacted", []) and name not in members]
    signatures = [
        read_signature("Ed25519", proof["platform_key_id"], proof["platform_signature"]),
        read_signature("ML-DSA-87", proof["platform_pq_key_id"], proof["platform_signature_pq"]),
    ]
    if not redacted:
        refuse_without_canonical_form(members)
    payload = None if redacted else canonical(members)
    return payload, members, redacted, signatures, read_keys(proof.get("platform_keys", []))


def is_proof(members, redacted):
    def optional(name, kind):
        value = members[name]
        # type(), not isinstance(): in Python True is an int.
        return value is None or type(value) is kind and (kind is str or 0 <= value < 2**53)

    return (
        set(members) | set(redacted) == set(FIXED) | set(TEXTS) | set(OPTIONAL)
        and all(type(members[name]) is type(value) and members[name] == value for name, value in FIXED.items())
        and all(type(members[n]) is str and re.fullmatch(p, members[n], re.ASCII) for n, p in TEXTS.items())
        and all(optional(name, kind) for name, kind in OPTIONAL.items() if name not in redacted)
    )


@functools.lru_cache
def is_signature(algorithm, public_key, payload, signature):
    module = rfc8032 if algorithm == "Ed25519" else fips204
    return module.verify(public_key, payload.encode("utf-8"), signature)


def check_signature(algorithm, payload, signatures, trusted, delivered):
    ours = [(named, signature) for kind, named, signature in signatures if kind == algorithm]
    if not ours:
        return "failed"
    named, signature = ours[0]
    known = trusted.get(named) or delivered.get(named)
    if payload is None or known is None or not named.startswith(ALGORITHMS[algorithm][0]):
        return "not_checked"
    try:
        return "passed" if is_signature(algorithm, known[0], payload, signature) else "failed"
    except UnicodeEncodeError:
        return "failed"


def environment_of(named, trusted, delivered):
    said = trusted.get(named, (None, set()))[1]
    claimed = delivered.get(named, (None, set()))[1]
    # That a proof is a test one is believed of anybody who delivers it, and nothing else.
    return "test" if "test" in said or not said and "test" in claimed else "live" if "live" in said else None


def check_keys(named, trusted, environments, signed_at):
    if not trusted:
        return "not_checked"
    prefixes = [prefix for prefix, _ in ALGORITHMS.values()]
    unknown = [prefix for prefix, key in zip(prefixes, named) if key not in trusted or not key.startswith(prefix)]
    made = set().union(*(dates for _, _, dates in trusted.values()))
    if len(unknown) == 2 and signed_at and made and max(made) < signed_at:
        return "not_checked"
    if unknown:
        is_pinned = any(key.startswith(prefix) for prefix in unknown for key in trusted)
        return "failed" if len(unknown) == 2 or is_pinned else "not_checked"
    if {"live", "test"} <= set(environments):
        return "failed"
    return "passed" if environments == ["live", "live"] or "test" in environments else "not_checked"


def verify(file, name, proof, trusted):
    payload, members, redacted, signatures, delivered = read_proof(proof)
    checks = {"file": "passed" if members.get("sha256") == hashlib.sha256(file).hexdigest() else "failed"}
    left_out = redacted
    whole = dict(members)
    if redacted and checks["file"] == "passed":
        whole |= {key: {"file_name": name, "file_size": len(file)}[key] for key in redacted}
        payload, redacted = canonical(whole), []
    results = [check_signature(a, payload, signatures, trusted, delivered) for a in ALGORITHMS]
    if left_out and "passed" not in results:
        results = ["not_checked" for _ in results]
        whole, payload, redacted = members, None, left_out
    named = [next((n for kind, n, _ in signatures if kind == a), None) for a in ALGORITHMS]
    if not is_proof(whole, redacted):
        checks["evidence"] = "failed"
    elif len(signatures) != 2 or named != [whole["key_id"], whole["pq_key_id"]]:
        checks["evidence"] = "failed"
    else:
        checks["evidence"] = (
            "not_checked" if payload is None else "passed" if canonical(whole) == payload else "failed"
        )
    checks["ed25519"], checks["ml_dsa_87"] = results
    environments = [environment_of(n, trusted, delivered) for n in named]
    checks["keys"] = check_keys(named, trusted, environments, instant(members.get("registered_at")))
    both = "test" if "test" in environments else "live" if environments == ["live", "live"] else None
    return {"checks": checks, "environment": both, "verdict": verdict(checks.values(), both)}


def verdict(results, environment):
    if "failed" in results:
        return "failed"
    if environment == "test":
        return "test"
    return "not_proved" if "not_checked" in results else "proved"


def main(file, keys, *proofs):
    trusted = {}
    if keys != "-":
        with open(keys, encoding="utf-8") as opened:
            trusted = read_keys(json.load(opened)["platform_keys"])
        if not trusted:
            raise ValueError("it contains no platform keys")
    with open(file, "rb") as opened:
        content = opened.read()
    for proof in proofs:
        with open(proof, encoding="utf-8") as opened:
            try:
                answer = verify(content, os.path.basename(file), json.load(opened), trusted)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                answer = {"verdict": "unreadable"}
        print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
