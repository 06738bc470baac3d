/** The dossier of an envelope that ended without a completion, and its seal.json, checked by src/verifier and by a Python program that was written from its README. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type PlatformKey, readKeys } from "../../src/verifier/keys.ts";
import {
  aboutOf,
  completedDossier,
  endedDossier,
  filesOf,
  type MadeDossier,
  madeSeal,
  packed,
} from "./made-dossiers.ts";
import { eventAfter, type Json } from "./made-envelopes.ts";
import { attacker, live, test as testKeys } from "./made-proofs.ts";
import { proved, provedByPython, verifiedDossier } from "./sealed-dossier-stage.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sealed-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const published = [...live.keys, ...testKeys.keys];
const keysText = JSON.stringify({ platform_keys: published });
const keys: readonly PlatformKey[] = readKeys(keysText);

/** Dossiers, and what the Python program is to find proved of each: it is asked once, in the end. */
const others: { readonly zip: Buffer; readonly proved: string | null }[] = [];

async function found(made: MadeDossier, trusted: readonly PlatformKey[] | null = keys) {
  const zip = await packed(filesOf(made));
  const { verdict, checks } = await verifiedDossier(zip, trusted);
  const end = "payload" in made.evidence ? "completed" : "ended";
  if (trusted === keys) others.push({ zip, proved: verdict === "proved" ? end : null });
  const named = (result: string) => checks.filter((check) => check.result === result).map(({ name }) => name);
  return { verdict, failed: named("failed"), open: named("not_checked"), checks };
}

describe("a seal that covers every event proves the end", () => {
  test.each(["declined", "cancelled", "expired", "failed"])(
    "of an envelope that was %s, though nobody signed",
    async (status) => {
      const { verdict, failed, open, checks } = await found(await endedDossier(live, { status }));
      expect([verdict, failed, open]).toEqual(["proved", [], []]);
      expect(checks.map(({ reason }) => reason)).toEqual([
        "files_named",
        "ended",
        "signature_valid",
        "signature_valid",
        "records_sealed",
        "chain_sealed",
        "nothing_opened",
        "seal_covers",
        "keys_trusted",
      ]);
    },
  );

  test("of one that somebody signed before", async () => {
    const { verdict, failed, open } = await found(await endedDossier(live, { isSigned: true }));
    expect([verdict, failed, open]).toEqual(["proved", [], []]);
  });

  test("at every place of trees of every form", async () => {
    for (const size of [1, 2, 3, 5, 8])
      for (let index = 0; index < size; index++) {
        const zip = await packed(filesOf(await endedDossier(live, { places: [index, size, size - 1 - index, size] })));
        expect(await proved(zip, keys), `${index} of ${size}`).toBe("ended");
        if (index === size >> 1) others.push({ zip, proved: "ended" });
      }
  });

  test("not without keys, nor with those of a test, nor with a seal by somebody else", async () => {
    const sealed = await endedDossier(live);
    expect((await found(sealed, null)).verdict).toBe("not_proved");
    const tried = await found(await endedDossier(testKeys, { changes: { environment: "test" }, sealedBy: live }));
    expect([tried.verdict, tried.failed]).toEqual(["test", []]);
    const foreign = await found(await endedDossier(live, { sealedBy: attacker }));
    expect([foreign.verdict, foreign.failed]).toEqual(["failed", ["keys"]]);
  });

  test("without one the envelope is checked as far as it goes", async () => {
    const { verdict, failed, open } = await found(await endedDossier(live, { isSealed: false }));
    expect([verdict, failed]).toEqual(["not_proved", []]);
    expect(open).toEqual(["file", "evidence", "ed25519", "ml_dsa_87", "records", "events", "keys"]);
  });

  test("one that covers the events in part proves nothing of the others", async () => {
    const { verdict, failed, checks } = await found(await endedDossier(live, { later: ["viewed"] }));
    expect([verdict, failed]).toEqual(["not_proved", []]);
    expect(checks.find(({ name }) => name === "events")?.reason).toBe("chain_sealed_in_part");
  });

  test("of an envelope that has not ended proves no end", async () => {
    const made = await endedDossier(live);
    const [sent] = made.evidence["events"] as Json[];
    made.evidence["events"] = [sent ?? null];
    made.seal = await madeSeal(live, made.evidence["envelope"] as Json, sent ?? {});
    const { verdict, failed } = await found(made);
    expect([verdict, failed]).toEqual(["not_proved", []]);
  });
});

describe("of a completed envelope", () => {
  test("events follow the completion only where the seal covers them", async () => {
    const { evidence, seal, files } = await completedDossier(live, ["link_mailed", "viewed"]);
    const whole = await found({ evidence, seal, files });
    expect([whole.verdict, whole.failed, whole.open]).toEqual(["proved", [], []]);
    const events = evidence["events"] as Json[];
    const without = await found({ evidence, seal: null, files });
    expect(without.failed).toEqual(["events"]);
    const last = eventAfter(events.at(-1), aboutOf(evidence), "envelope.viewed", {});
    const longer = await found({ evidence: { ...evidence, events: [...events, last] }, seal, files });
    expect(longer.failed).toEqual(["events"]);
    const shorter = await found({ evidence: { ...evidence, events: events.slice(0, -1) }, seal, files });
    expect(shorter.failed).toEqual(["events", "seal"]);
    const ended = await found({ evidence: { ...evidence, events: events.slice(0, -2) }, seal: null, files });
    expect([ended.verdict, ended.failed]).toEqual(["proved", []]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
type Any = any;
const zeros = "0".repeat(64);

describe("a wrong seal.json fails", () => {
  test.each<[string, (made: { evidence: Any; seal: Any }) => unknown, readonly string[]]>([
    ["of another event", ({ seal }) => (seal.leaf.seq = 1), ["seal"]],
    ["of an event beyond the last", ({ seal }) => (seal.leaf.seq = 3), ["seal"]],
    ["with another hash", ({ seal }) => (seal.leaf.hash = zeros), ["seal"]],
    ["with another place in the tree", ({ seal }) => seal.organization_path.index++, ["seal"]],
    ["with a tree of another size", ({ seal }) => (seal.seal_path.size += 8), ["seal"]],
    ["with a place beyond the tree", ({ seal }) => (seal.seal_path.index = seal.seal_path.size), ["seal"]],
    ["with a hash too many", ({ seal }) => seal.seal_path.hashes.push(zeros), ["seal"]],
    ["with a hash too few", ({ seal }) => seal.organization_path.hashes.pop(), ["seal"]],
    [
      "with its paths exchanged",
      ({ seal }) => ([seal.seal_path, seal.organization_path] = [seal.organization_path, seal.seal_path]),
      ["seal"],
    ],
    ["whose number beside the signatures is another", ({ seal }) => seal.seal.number++, ["seal"]],
    [
      "whose root is another",
      ({ seal }) => (seal.seal.root = seal.seal.evidence.root = zeros),
      ["ed25519", "ml_dsa_87", "seal"],
    ],
    [
      "whose time is another",
      ({ seal }) => (seal.seal.sealed_at = seal.seal.evidence.sealed_at = seal.seal.sealed_at.replace("03", "04")),
      ["ed25519", "ml_dsa_87"],
    ],
    [
      "of the envelope of somebody else",
      ({ evidence }) => (evidence.envelope.envelope_id = evidence.envelope.tenant_id),
      ["events", "seal"],
    ],
    [
      "with one signature in place of both",
      ({ seal }) => (seal.seal.platform_signature_pq = seal.seal.platform_signature),
      ["ml_dsa_87"],
    ],
    ["beside an event that was dropped", ({ evidence }) => evidence.events.pop(), ["seal"]],
    ["beside an address that is another", ({ evidence }) => (evidence.events[0].address = "203.0.113.8"), ["openings"]],
    [
      "beside the opening of an address that is another",
      ({ evidence }) => (evidence.events[0].openings.address.salt = "0".repeat(32)),
      ["openings"],
    ],
  ])("%s", async (_, change, failed) => {
    const made = await endedDossier(live);
    change(made as { evidence: Any; seal: Any });
    const result = await found(made);
    expect([result.failed, result.verdict]).toEqual([failed, "failed"]);
  });

  test("a record less than the sealed events name", async () => {
    const made = await endedDossier(live, { isSigned: true });
    made.evidence["records"] = [];
    const { failed } = await found(made);
    expect(failed).toEqual(["records"]);
  });

  test("a document that the event of the sending does not name", async () => {
    const made = await endedDossier(live);
    const [name = ""] = Object.keys(made.files);
    const { failed } = await found({ ...made, files: { ...made.files, [name]: Buffer.from("another") } });
    expect(failed).toEqual(["file"]);
  });

  test("a completion that was taken out of the evidence", async () => {
    const made = await endedDossier(live, { isSealed: false });
    const events = made.evidence["events"] as Json[];
    events.push(eventAfter(events.at(-1), made.evidence["envelope"] as Json, "envelope.completed", {}));
    const { failed } = await found(made);
    expect(failed).toEqual(["events"]);
  });

  test("what is no seal at all is unreadable", async () => {
    const files = filesOf(await endedDossier(live));
    for (const text of ["", "[]", "{}", '{"seal":{}}', "\u00ff"]) {
      const zip = await packed({ ...files, "seal.json": Buffer.from(text, "latin1") });
      expect(await proved(zip, keys)).toBeNull();
      others.push({ zip, proved: null });
    }
  });
});

test("the Python program agrees over all these dossiers", () => {
  const changes = others.map(({ zip }) => ({ zip: zip.toString("base64") }));
  expect(changes.length).toBeGreaterThan(30);
  expect(provedByPython(folder, Buffer.alloc(0), keysText, changes)).toEqual(others.map((each) => each.proved));
});
