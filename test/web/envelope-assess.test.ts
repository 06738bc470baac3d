// What the verify page says of an envelope's record and report, also when a forger or a dishonest service hands them over.
import path from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { commands } from "../../src/postgres/generated/commands.ts";
import { isChainOfEnvelope } from "../../src/verifier/envelope-chain.ts";
import { readEnvelopeEvidence } from "../../src/verifier/envelope-evidence.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { assessEnvelope } from "../../src/web/verify/envelope/assess.ts";
import type { EnvelopeFindings } from "../../src/web/verify/envelope/findings.ts";
import { actsOf, namesOf, signersOf } from "../../src/web/verify/envelope/signers.ts";
import {
  CODE,
  eventAfter,
  FINAL,
  type Json,
  type MadeEnvelope,
  madeEnvelope,
  opened,
} from "../verifier/made-envelopes.ts";
import { attacker, live } from "../verifier/made-proofs.ts";

let made: MadeEnvelope;
let foreign: MadeEnvelope;
let other: MadeEnvelope;
interface NamesWords {
  readonly methods: Readonly<Record<string, string>>;
  times(zone: string): string;
}
/** Imported while the tests run, because pages have the DOM's types, which are not known here. */
let en: NamesWords;
let ptBr: NamesWords;
let inert: (text: string) => string;
beforeAll(async () => {
  const folder = path.resolve(import.meta.dirname, "../../src/web");
  en = (await import(`${folder}/verify/envelope/words-en.ts`)).en.names;
  ptBr = (await import(`${folder}/verify/envelope/words-pt-br.ts`)).ptBr.names;
  inert = (await import(`${folder}/shell/foreign.tsx`)).inert;
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
    const changed = await madeEnvelope(live, {}, [{ members: { role: "testemunha" } }]);
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
  const marina = opened({ name: "Marina Costa", email: "marina@example.com" });
  const renamed = ({ report }: MadeEnvelope, value: string) => ({
    ...report,
    records: (report["records"] as Json[]).map((record) => ({
      ...record,
      openings: { name: { salt: "00112233445566778899aabbccddeeff", value } },
    })),
  });

  test("a name that matches its commitment is shown, with act and methods", async () => {
    const twice = { authentication: [{ method: "otp_email" }, { method: "otp_email" }] };
    const own = await madeEnvelope(live, {}, [opened({ name: "Marina Costa" }, twice)]);
    const shown = { answer: own.answer, report: own.report, sha256: FINAL };
    expect(signersOf(found(shown))).toMatchObject([{ name: "Marina Costa", action: "signed", methods: ["otp_email"] }]);
    expect(namesOf(found(shown))).toBe("proven");
    expect(signersOf(found({ ...shown, sha256: "0".repeat(64) }))).toMatchObject([{ name: "Marina Costa" }]);
  });

  test("a name of another commitment, or without one, is never shown", async () => {
    const own = await madeEnvelope(live, {}, [marina]);
    for (const report of [renamed(own, "Marina Sousa"), renamed(made, "Marina Costa")]) {
      const findings = found({ report, code: null });
      expect([findings.kind, namesOf(findings)]).toEqual(["report_altered", "wrong"]);
      expect(signersOf(findings)).toBeNull();
    }
  });

  test("a name that was erased is said to be, by the report alone; the others are shown", async () => {
    const own = await madeEnvelope(live, {}, [marina, opened({ name: "João Lima" })]);
    const [first, ...others] = own.report["records"] as [Json, ...Json[]];
    const erased = { ...first, openings: {}, erased_at: "2026-11-22T00:00:00.000000+00:00" };
    const findings = found({ report: { ...own.report, records: [erased, ...others] }, code: null });
    expect([findings.kind, namesOf(findings)]).toEqual(["report_alone", "proven"]);
    expect(signersOf(findings)).toMatchObject([
      { name: null, erased: "said" },
      { name: "João Lima", erased: null },
    ]);
  });

  test("a name under foreign or unknown keys is never shown", async () => {
    const forged = await madeEnvelope(attacker, {}, [marina]);
    expect(signersOf(found({ report: forged.report, code: null }))).toBeNull();
    const own = await madeEnvelope(live, {}, [marina]);
    const findings = found({ report: own.report, code: null });
    expect(signersOf(findings)).not.toBeNull();
    for (const changes of [{ keys: "unknown" }, { kind: "no_record" }] as const) {
      expect(signersOf({ ...findings, ...changes })).toBeNull();
      expect(namesOf({ ...findings, ...changes })).toBe("unverified");
    }
  });

  test("without a report, shows no names, only what the service says was done and when", async () => {
    const at = (hour: number) => ({ signed_at: `2026-11-20T${hour}:34:56.633467+00:00` });
    const own = await madeEnvelope(live, {}, [
      opened({ name: "B" }, { role: "testemunha", action: "witnessed", ...at(15) }),
      opened({ name: "A" }, at(14)),
    ]);
    const findings = found({ answer: own.answer, sha256: FINAL });
    expect([signersOf(findings), namesOf(findings)]).toEqual([null, "no_report"]);
    // The reader of the made envelope has done nothing.
    expect(actsOf(findings)).toEqual([
      { action: "signed", at: at(14).signed_at },
      { action: "witnessed", at: at(15).signed_at },
    ]);
  });

  test("a signer whose name the report does not open stands there without one", async () => {
    const own = await madeEnvelope(live, {}, [marina, { members: { commitments: {} } }]);
    expect(signersOf(found({ report: own.report }))?.map(({ name }) => name)).toEqual(["Marina Costa", null]);
    expect(namesOf(found({ report: own.report }))).toBe("proven");
    expect(namesOf(found({ report: made.report }))).toBe("unnamed");
  });

  test("a name of blanks, or of letters that show nothing, is none", async () => {
    const blanks = ["", " \u00a0\u3000", "\u200b\u2060\ufeff", "\u3164\u115f\uffa0", "\u2800", "\u202e\u0007"];
    const own = await madeEnvelope(
      live,
      {},
      blanks.map((name) => opened({ name })),
    );
    expect(signersOf(found({ report: own.report }))?.map(({ name }) => name)).toEqual(blanks.map(() => null));
  });

  test("a report from before the end names nobody: nothing seals that these are all who signed", async () => {
    const own = await madeEnvelope(live, {}, [marina]);
    for (const answer of [undefined, own.answer]) {
      const findings = found({ ...(answer && { answer }), report: own.early });
      expect([signersOf(findings), namesOf(findings)]).toEqual([null, "early"]);
    }
  });

  test("has a word for each method in which participants can be authenticated, in both languages", () => {
    // Nobody is authenticated by "none": it is always refused.
    const allowed = commands.add_participant.arguments.auth_method.enum.filter((method) => method !== "none");
    expect(allowed).toContain("otp_email");
    // A certificate of one's own is a modality, and no choice of the sender's.
    const said = [...allowed, "icp_brasil"].sort();
    for (const { methods: worded } of [en, ptBr]) expect(Object.keys(worded).sort()).toEqual(said);
  });

  test("says the zone of all times once", () => {
    expect(ptBr.times("horário de Brasília")).toBe("Horários de Brasília.");
    expect(ptBr.times("UTC")).toBe("Horários em UTC.");
    expect(ptBr.times("Hora da Europa Ocidental")).toBe("Horários: Hora da Europa Ocidental.");
    expect(en.times("Brasilia Standard Time")).toBe("Times are those of Brasilia Standard Time.");
    expect(en.times("UTC")).toBe("Times are in UTC.");
  });
});

describe("a hostile report", () => {
  const marina = opened({ name: "Marina Costa" });
  const paulo = opened({ name: "Paulo Reis" });
  let own: MadeEnvelope;
  beforeAll(async () => {
    own = await madeEnvelope(live, {}, [marina, paulo]);
  });
  type Hostile = { records: Record<string, unknown>[] } & Record<string, unknown>;
  const edited = (edit: (report: Hostile) => void): Json => {
    const report = structuredClone(own.report) as unknown as Hostile;
    edit(report);
    return report as unknown as Json;
  };
  const firstOf = ({ records }: Hostile) => records[0] as Record<string, unknown>;

  test.each<[string, (report: Hostile) => void]>([
    ["10,000 signers", (r) => void Object.assign(r, { records: Array(10_000).fill(firstOf(r)) })],
    [
      "10,000 openings",
      (r) =>
        void Object.assign(firstOf(r), {
          openings: Object.fromEntries(
            Array.from({ length: 10_000 }, (_, n) => [`values.${n}`, { salt: "", value: "" }]),
          ),
        }),
    ],
    ["a list of openings", (r) => void Object.assign(firstOf(r), { openings: [{ salt: "", value: "" }] })],
    ["a text in place of openings", (r) => void Object.assign(firstOf(r), { openings: "Marina Costa" })],
    ["a name that is a list", (r) => void Object.assign(firstOf(r), { openings: { name: ["Marina Costa"] } })],
    [
      "a name that is a number",
      (r) => void Object.assign(firstOf(r), { openings: { name: { salt: "0".repeat(32), value: 7 } } }),
    ],
    ["a name without a salt", (r) => void Object.assign(firstOf(r), { openings: { name: { value: "Marina Costa" } } })],
  ])("with %s is not read at all", (_, edit) => {
    expect(() => readEnvelopeEvidence(JSON.stringify(edited(edit)))).toThrow(UnreadableError);
  });

  test.each<[string, (report: Hostile) => void]>([
    ["a name of 1 MB", (r) => void Object.assign(firstOf(r), nameOf("M".repeat(1_048_576)))],
    ["a name that turns the text", (r) => void Object.assign(firstOf(r), nameOf("Marina\u202eatsoC"))],
    ["another name", (r) => void Object.assign(firstOf(r), nameOf("Marina Souza"))],
    ["a name in another form of Unicode", (r) => void Object.assign(firstOf(r), nameOf("Marina Costa\u0301"))],
    ["a salt of another form", (r) => void Object.assign(firstOf(r), nameOf("Marina Costa", "0x00"))],
    [
      "the names of two signers exchanged",
      ({ records: [one, other] }) => {
        const { openings } = one as Record<string, unknown>;
        Object.assign(one as object, { openings: other?.["openings"] });
        Object.assign(other as object, { openings });
      },
    ],
    ["a record that is there twice", (r) => void r.records.push(firstOf(r))],
    ["one record in place of the other", (r) => void r.records.splice(1, 1, firstOf(r))],
    ["a record left out", (r) => void r.records.pop()],
    [
      "an opening that every object has",
      (r) =>
        void Object.assign(firstOf(r), {
          openings: JSON.parse(`{"__proto__": {"salt": "${"0".repeat(32)}", "value": "x"}}`),
        }),
    ],
  ])("with %s is altered, and names nobody", (_, edit) => {
    const findings = found({ answer: own.answer, report: edited(edit), sha256: FINAL });
    expect(findings.kind).toBe("report_altered");
    expect(signersOf(findings)).toBeNull();
  });

  test("of another signed document than the file: the file is not that document, and the page says whose names these are", async () => {
    const findings = found({ answer: own.answer, report: own.report, sha256: "f".repeat(64) });
    expect([findings.kind, findings.file]).toEqual(["different", "different"]);
    expect(found({ answer: own.answer, report: own.report, sha256: FINAL, code: "AAAA-AAAA-AAAA" }).kind).toBe(
      "other_code",
    );
  });

  test("names longer than any that the service takes are cut where they are shown", () => {
    const shown = inert(`Marina\u202e\u200b\u0007${"x".repeat(1_048_576)}`);
    expect(shown.length).toBeLessThan(600);
    expect(shown).toMatch(/^Marina\ufffd{3}x+…$/);
  });

  test("a signed list has at most 100 entries: a forger's, under keys that nobody knows, is not drawn", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        document_id: `019a9fd0-6c3e-7b51-9c55-${String(n).padStart(12, "0")}`,
        sha256: "0".repeat(64),
      }));
    for (const [count, result] of [
      [100, "passed"],
      [101, "failed"],
    ] as const) {
      const forged = await madeEnvelope(live, {}, [{ members: { documents: many(count) } }]);
      const { report } = found({ report: forged.early, code: null });
      expect(report?.checks.find(({ name }) => name === "evidence")).toMatchObject(
        result === "passed" ? { reason: "not_completed" } : { result, reason: "not_envelope" },
      );
    }
  });

  test("events without end, which all claim a record, cost one digest of it", () => {
    const padded = structuredClone(own.early) as unknown as Hostile & { envelope: Json; events: Json[] };
    const [first] = padded.records as { payload: string }[];
    Object.assign(first as object, { payload: `${first?.payload}${" ".repeat(1_000_000)}` });
    const details = { ...(padded.events[0]?.["details"] as Json), evidence_sha256: "0" };
    padded.events = [];
    for (let count = 0; count < 100; count++)
      padded.events.push(eventAfter(padded.events.at(-1), padded.envelope, "envelope.participant_signed", details));
    const evidence = readEnvelopeEvidence(JSON.stringify(padded));
    const encode = vi.spyOn(TextEncoder.prototype, "encode");
    expect(evidence && isChainOfEnvelope(evidence, 0)).toBe(false);
    expect(encode.mock.calls.filter(([text]) => (text?.length ?? 0) > 1_000_000).length).toBe(1);
    encode.mockRestore();
  });
});

const nameOf = (value: string, salt = "00112233445566778899aabbccddeeff") => ({ openings: { name: { salt, value } } });
