// What the verify page says of an envelope's record and report, also when a forger or a dishonest service hands them over.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { readEnvelopeEvidence } from "../../src/verifier/envelope-evidence.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { readKeys } from "../../src/verifier/keys.ts";
import { assessEnvelope } from "../../src/web/verify/envelope/assess.ts";
import type { EnvelopeFindings } from "../../src/web/verify/envelope/findings.ts";
import { signersOf } from "../../src/web/verify/envelope/signers.ts";
import { CODE, FINAL, type Json, type MadeEnvelope, madeEnvelope } from "../verifier/made-envelopes.ts";
import { attacker, live } from "../verifier/made-proofs.ts";

let made: MadeEnvelope;
let foreign: MadeEnvelope;
let other: MadeEnvelope;
beforeAll(async () => {
  made = await madeEnvelope(live);
  foreign = await madeEnvelope(attacker);
  other = await madeEnvelope(live, { envelope_id: "019a9fd0-6c3e-7b51-9c55-000000000099" });
});

const platformKeys = readKeys(JSON.stringify(live.keys));
interface Shown {
  readonly answer?: Json;
  readonly report?: Json;
  readonly trusts?: boolean;
  readonly sha256?: string;
  readonly code?: string | null;
}
function found({ answer, report, trusts = false, sha256, code = CODE }: Shown): EnvelopeFindings {
  const evidence = report === undefined ? null : readEnvelopeEvidence(JSON.stringify(report));
  if (report !== undefined && evidence === null) throw new Error("no evidence of an envelope");
  return assessEnvelope(
    {
      answer: answer === undefined ? null : JSON.stringify(answer),
      isUnknown: false,
      report: evidence === null ? null : { name: "report.pdf", evidence, isPdf: true },
      file: sha256 === undefined ? null : { sha256, name: "contract.pdf", size: 3 },
      published: platformKeys,
      trusted: trusts ? platformKeys : [],
      signatures: HYBRID_CHECKS,
    },
    code,
  );
}
const said = (shown: Shown) => {
  const { kind, keys, match } = found(shown);
  return { kind, keys, match };
};

describe("the record of the service", () => {
  test("is whole: the file is the final document, and the keys are those that the visitor trusts", () => {
    expect(said({ answer: made.answer, sha256: FINAL, trusts: true })).toEqual({
      kind: "final",
      keys: "trusted",
      match: null,
    });
  });

  test("with keys that are neither published nor trusted, it is at fault", () => {
    for (const trusts of [true, false])
      expect(said({ answer: foreign.answer, sha256: FINAL, trusts })).toMatchObject({
        kind: "at_fault",
        keys: "foreign",
      });
  });

  test("no report hides that: the gravest keys count, whatever is signed in the report", () => {
    const unsigned = { ...foreign.early, records: [] };
    for (const trusts of [true, false])
      expect(said({ answer: foreign.answer, report: unsigned, sha256: FINAL, trusts })).toMatchObject({
        kind: "at_fault",
        keys: "foreign",
      });
    // The same record, signed by the service, beside a record of the answer that is not.
    expect(said({ answer: foreign.answer, report: made.report, sha256: FINAL, trusts: true })).toMatchObject({
      kind: "at_fault",
      keys: "foreign",
    });
  });

  test("it is at fault where it says that another number of participants finished than signed", () => {
    const [first, ...others] = made.answer["participants"] as [Json, ...Json[]];
    for (const participants of [
      others,
      [first, first, ...others],
      [{ ...first, status: "viewed" }, ...others],
      [{ ...first, role: "observador" }, ...others],
    ])
      expect(found({ answer: { ...made.answer, participants }, sha256: FINAL }).kind).toBe("at_fault");
    const watched = [first, ...others, { role: "observador", status: "invited", completed_at: null }];
    expect(found({ answer: { ...made.answer, participants: watched }, sha256: FINAL }).kind).toBe("final");
  });
});

describe("a report beside the record", () => {
  test("equals the record", () => {
    const shown = { answer: made.answer, report: made.report };
    expect(said({ ...shown, trusts: true })).toEqual({ kind: "report_alone", keys: "trusted", match: "equal" });
    expect(said({ ...shown, sha256: FINAL })).toEqual({ kind: "final", keys: "published", match: "equal" });
  });

  test("of another envelope of the same organization differs, with the same code and keys", () => {
    expect(said({ answer: made.answer, report: other.report })).toMatchObject({
      kind: "report_altered",
      match: "differs",
    });
    for (const report of [other.early, { ...other.early, records: [] }])
      expect(said({ answer: made.answer, report, sha256: FINAL })).toMatchObject({
        kind: "report_altered",
        match: "differs",
      });
  });

  test("of another organization or environment differs, too", () => {
    for (const changes of [{ tenant_id: "67004921-eb5e-4a29-9c57-000000000001" }, { environment: "test" }]) {
      const envelope = { ...(made.early["envelope"] as Json), ...changes };
      const report = { envelope, records: [], events: made.chainOf(envelope), keys: [] };
      expect(said({ answer: made.answer, report })).toMatchObject({ kind: "report_altered", match: "differs" });
    }
  });

  test("from before the completion is older: the verdict is that of the record, and the report is not called equal", () => {
    const shown = { answer: made.answer, report: made.early };
    expect(said(shown)).toEqual({ kind: "completed", keys: "published", match: "older" });
    expect(said({ ...shown, sha256: FINAL })).toEqual({ kind: "final", keys: "published", match: "older" });
    expect(found(shown).report?.verdict).toBe("not_proved");
  });

  test("from before the completion, with a record that the completion does not name: it differs", async () => {
    const changed = await madeEnvelope(live, {}, { role: "testemunha" });
    expect(said({ answer: made.answer, report: changed.early })).toMatchObject({
      kind: "report_altered",
      match: "differs",
    });
  });

  test("from before the completion, of another code than the one asked for", () => {
    expect(found({ answer: made.answer, report: made.early, code: "AAAA-AAAA-AAAA" }).kind).toBe("other_code");
  });

  test("from before the completion, with foreign keys: they count, though those of the record are the service's", () => {
    expect(said({ answer: made.answer, report: foreign.early, sha256: FINAL, trusts: true })).toMatchObject({
      kind: "foreign_keys",
      keys: "foreign",
    });
  });
});

describe("a report in which nothing is signed", () => {
  test("proves nothing by itself, and has no keys that could be trusted", () => {
    const report = { ...made.early, records: [] };
    for (const trusts of [true, false])
      expect(said({ report, trusts, code: null })).toEqual({ kind: "unsigned", keys: "unknown", match: "unsigned" });
  });

  test("proves nothing beside the record of its envelope, either, before and after the completion", () => {
    const report = { ...made.early, records: [] };
    expect(said({ answer: made.answer, report })).toMatchObject({ kind: "unsigned", match: "unsigned" });
    expect(said({ answer: made.answer, report, sha256: FINAL })).toMatchObject({ kind: "unsigned", match: "unsigned" });
    const open = { ...made.answer, status: "sent", completed_at: null, completion: null, valid: null };
    expect(said({ answer: open, report, trusts: true })).toEqual({
      kind: "unsigned",
      keys: "unknown",
      match: "unsigned",
    });
  });
});

describe("who signed", () => {
  const salt = "00112233445566778899aabbccddeeff";
  const commitment = createHash("sha256").update(Buffer.from(salt, "hex")).update("Marina Costa").digest("hex");
  const signed = {
    commitments: { name: commitment },
    authentication: [{ method: "otp_email" }, { method: "otp_email" }],
  };
  const naming = ({ report }: MadeEnvelope, value: string) => ({
    ...report,
    records: (report["records"] as Json[]).map((record) => ({ ...record, openings: { name: { salt, value } } })),
  });

  test("a name that matches its commitment is shown, with act and methods", async () => {
    const own = await madeEnvelope(live, {}, signed);
    const shown = { answer: own.answer, report: naming(own, "Marina Costa"), sha256: FINAL };
    expect(signersOf(found(shown))).toMatchObject([{ name: "Marina Costa", action: "signed", methods: ["otp_email"] }]);
    expect(signersOf(found({ ...shown, sha256: "0".repeat(64) }))).toMatchObject([{ name: "Marina Costa" }]);
  });

  test("a name of another commitment, or without one, is never shown", async () => {
    const own = await madeEnvelope(live, {}, signed);
    for (const report of [naming(own, "Marina Sousa"), naming(made, "Marina Costa")]) {
      const findings = found({ report, code: null });
      expect(findings.kind).toBe("report_altered");
      expect(signersOf(findings)).toBeNull();
    }
  });

  test("a name under foreign or unknown keys is never shown", async () => {
    const forged = await madeEnvelope(attacker, {}, signed);
    expect(signersOf(found({ report: naming(forged, "Marina Costa"), code: null }))).toBeNull();
    const own = await madeEnvelope(live, {}, signed);
    const findings = found({ report: naming(own, "Marina Costa"), code: null });
    expect(signersOf(findings)).not.toBeNull();
    expect(signersOf({ ...findings, keys: "unknown" })).toBeNull();
    expect(signersOf({ ...findings, kind: "no_record" })).toBeNull();
  });

  test("without a report, there are no names", () => {
    expect(signersOf(found({ answer: made.answer, sha256: FINAL }))).toBeNull();
  });
});
