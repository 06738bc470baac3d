// What the verify page says of what a forger hands it. Without a key, everything in such a document is his to choose.
import { expect, test } from "vitest";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { assess, type Given } from "../../src/web/verify/assess.ts";

const members = {
  hash_algorithm: "SHA-256",
  hybrid_policy: "AND",
  key_id: "ed25519-0123456789abcdef",
  kind: "existence_proof",
  label: null,
  organization: "A bank",
  pq_key_id: "ml-dsa-87-0123456789abcdef",
  proof_id: "01a1fd89-e1c4-7ef8-ac41-e14737d28a93",
  registered_at: "2009-01-01T00:00:00.000000+00:00",
  schema_version: 1,
  sha256: "ab".repeat(32),
  tenant_id: "01a1fd89-e1c4-7ef8-ac41-e14737d28a93",
  time_source: "platform_server_clock_utc",
  verification_code: "7Q2M-K9XT-4HBC",
};
const forged = (redacted: readonly string[]) =>
  readEvidence(
    JSON.stringify({
      evidence: members,
      redacted,
      platform_key_id: members.key_id,
      platform_signature: "AAAA",
      platform_pq_key_id: members.pq_key_id,
      platform_signature_pq: "AAAA",
    }),
  );
const file = { sha256: members.sha256, name: "contract.pdf", size: 3 };
const given = (some: Partial<Given>): Given => ({
  code: null,
  lookup: { status: "unknown" },
  receipt: forged(["file_name", "file_size"]),
  isInPdf: false,
  file: null,
  published: [],
  trusted: [],
  signatures: HYBRID_CHECKS,
  ...some,
});

test.each<[string, Partial<Given>]>([
  ["the service has no record", {}],
  ["the service has no record, the file dropped as well", { file }],
  ["the service cannot be reached", { lookup: { status: "failed" }, published: null }],
  ["the service cannot be reached, the file dropped as well", { lookup: { status: "failed" }, published: null, file }],
  ["the service answers too many look-ups", { lookup: { status: "throttled", seconds: 9 }, file }],
])("unsigned claims are never said to be on record: %s", (_, some) => {
  const verdict = assess(given(some))?.verdict;
  expect(["failed", "unconfirmed", "keys_unknown"]).toContain(verdict);
});

test("unsigned claims that the service's record contradicts fail", () => {
  const record = {
    evidence: readEvidence(JSON.stringify({ ...publicAnswer, evidence: { ...members, organization: "Acme" } })),
    environment: "live",
    valid: true,
    text: "",
  } as const;
  expect(assess(given({ lookup: { status: "found", record } }))?.verdict).toBe("failed");
});

const publicAnswer = {
  evidence: members,
  redacted: ["file_name", "file_size"],
  platform_key_id: members.key_id,
  platform_signature: "AAAA",
  platform_pq_key_id: members.pq_key_id,
  platform_signature_pq: "AAAA",
  platform_keys: [],
};
