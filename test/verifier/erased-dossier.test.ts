// The dossier of an envelope after the personal data of a participant were erased, checked by src/verifier and by a Python program that was written from its README.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readKeys } from "../../src/verifier/keys.ts";
import { aboutOf, completedDossier, filesOf, type Later, madeSeal, packed } from "./made-dossiers.ts";
import { eventAfter, type Json, opened } from "./made-envelopes.ts";
import { live } from "./made-proofs.ts";
import { provedByPython, remembered, verifiedDossier } from "./sealed-dossier-stage.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-erased-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const keysText = JSON.stringify({ platform_keys: live.keys });
const CHECKS = remembered();
const PASSPORT = Buffer.from("passport");
const FIELD = "019a9fd0-6c3e-7b51-9c55-000000000040";
const FILE = `attachments/${FIELD}.pdf`;
const attachments = [
  {
    field_id: FIELD,
    sha256: createHash("sha256").update(PASSPORT).digest("hex"),
    size: PASSPORT.length,
    type: "application/pdf",
  },
];
/** Ana delivered a file, and João did not. */
const SIGNERS = [opened({ name: "Ana Prado" }, { attachments }), opened({ name: "João Lima" })];
const ANA = "019a9fd0-6c3e-7b51-9c55-000000000300";
const JOAO = "019a9fd0-6c3e-7b51-9c55-000000000301";
const AT = "2026-11-22T00:00:00.000000+00:00";
const erasing = (participant_id: string): Later => ["participant_erased", { participant_id }];

interface Parts {
  readonly evidence: Json;
  readonly seal: Json | null;
  readonly records: Json[];
  readonly events: Json[];
  files: Readonly<Record<string, Buffer>>;
}

/** A dossier with these events after its completion, all of them sealed, and with everything that the participants gave. */
async function whole(...later: readonly Later[]): Promise<Parts> {
  const { evidence, seal, files } = await completedDossier(live, later, SIGNERS);
  const [records, events] = [evidence["records"] as Json[], evidence["events"] as Json[]];
  return { evidence, seal, records, events, files: { ...files, [FILE]: PASSPORT } };
}

/** What is left out once the data of a participant were erased. */
function erase(made: Parts, place = 0): Parts {
  Object.assign(made.records[place] ?? {}, { openings: {}, erased_at: AT });
  if (place === 0) dropFile(made);
  return made;
}
function dropFile(made: Parts): void {
  const { [FILE]: _, ...files } = made.files;
  made.files = files;
}

/** Dossiers, and what the Python program is to find proved of each: it is asked once, in the end. */
const others: { readonly zip: Buffer; readonly proved: string | null }[] = [];

/** The results of the checks in question, the verdict, and what failed. */
async function found(made: Parts) {
  const zip = await packed(filesOf(made));
  const { verdict, checks } = await verifiedDossier(zip, readKeys(keysText), CHECKS);
  others.push({ zip, proved: verdict === "proved" ? "completed" : null });
  const said = (name: string) => checks.find((check) => check.name === name);
  const [file, openings] = ["file", "openings"].map((name) => `${said(name)?.result} ${said(name)?.reason}`);
  return [verdict, file, openings, checks.filter(({ result }) => result === "failed").map(({ name }) => name)];
}

test("what a sealed event says was erased is erased, and everything else is proved", async () => {
  expect(await found(await whole())).toEqual(["proved", "passed files_named", "passed openings_match", []]);
  expect(await found(erase(await whole(erasing(ANA))))).toEqual([
    "proved",
    "erased files_erased",
    "erased openings_erased",
    [],
  ]);
  // Of a participant without files, only openings are gone.
  expect(await found(erase(await whole(erasing(JOAO)), 1))).toEqual([
    "proved",
    "passed files_named",
    "erased openings_erased",
    [],
  ]);
});

test("what no seal says was erased is not erased: files are not proved, and openings may be missing", async () => {
  const made = erase(await whole());
  const notSealed = ["not_proved", "not_checked erasure_not_sealed", "passed openings_said_erased", []];
  expect(await found(made)).toEqual(notSealed);
  expect(await found({ ...made, seal: null })).toEqual(notSealed);
  // An event that follows the seal may be anybody's.
  const later = eventAfter(made.events.at(-1), aboutOf(made.evidence), "envelope.participant_erased", {
    participant_id: ANA,
  });
  made.evidence["events"] = [...made.events, later];
  expect(await found(made)).toEqual([
    "failed",
    "not_checked erasure_not_sealed",
    "passed openings_said_erased",
    ["events"],
  ]);
  // The seal of the chain of somebody else.
  const foreign = await madeSeal(live, { ...aboutOf(made.evidence), envelope_id: JOAO }, later);
  expect((await found({ ...made, seal: foreign })).at(-1)).toEqual(["events", "seal"]);
});

test("what is only dropped is not erased, nor what is another participant's, nor what stays", async () => {
  const failed = ["failed", "failed files_differ"];
  const dropped = await whole();
  dropFile(dropped);
  expect((await found(dropped)).slice(0, 2)).toEqual(failed);
  const unopened = await whole();
  Object.assign(unopened.records[0] ?? {}, { openings: {} });
  expect(await found(unopened)).toEqual(["proved", "passed files_named", "passed openings_match", []]);
  const other = await whole(erasing(JOAO));
  dropFile(other);
  expect((await found(other)).slice(0, 2)).toEqual(failed);
  const kept = await whole(erasing(ANA));
  expect(await found(kept)).toEqual([...failed, "passed openings_match", ["file"]]);
  const more = erase(await whole(erasing(ANA)));
  more.files = Object.fromEntries(Object.entries(more.files).filter(([name]) => !name.startsWith("originals/")));
  expect((await found(more)).slice(0, 2)).toEqual(failed);
  const altered = erase(await whole(erasing(ANA)));
  Object.assign(altered.records[0] ?? {}, { openings: { name: { salt: "0".repeat(32), value: "Eva Prado" } } });
  expect(await found(altered)).toEqual(["failed", "erased files_erased", "failed openings_differ", ["openings"]]);
});

test("the Python program agrees over all these dossiers", () => {
  const changes = others.map(({ zip }) => ({ zip: zip.toString("base64") }));
  expect(changes).toHaveLength(13);
  expect(provedByPython(folder, Buffer.alloc(0), keysText, changes)).toEqual(others.map(({ proved }) => proved));
});
