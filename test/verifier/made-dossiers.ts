// Dossiers of envelopes that ended, sealed with keys of a test. The trees are made as RFC 9162 §2.1 writes them, and not as the verifier reads them.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { storedZip } from "../../src/adapters/zip/stored-zip.ts";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { CODE, eventAfter, type Json, type MadeRecord, madeEnvelope, opened } from "./made-envelopes.ts";
import { evidenceFile, type Pair } from "./made-proofs.ts";

export type Files = Readonly<Record<string, Buffer>>;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hexOf = (bytes: Uint8Array) => sha256(bytes).toString("hex");

/** Where a list is cut in two: the largest power of two below its length. */
const cut = (length: number): number => {
  let place = 1;
  while (place * 2 < length) place *= 2;
  return place;
};

/** MTH of the RFC. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (leaves.length <= 1) return first === undefined ? sha256() : sha256(Buffer.of(0), first);
  const half = cut(leaves.length);
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

/** PATH of the RFC. */
function pathOf(place: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const half = cut(leaves.length);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return place < half ? [...pathOf(place, left), rootOf(right)] : [...pathOf(place - half, right), rootOf(left)];
}

/** A tree of so many leaves, with this one at its place. */
function treeWith(leaf: Buffer, index: number, size: number) {
  const leaves = Array.from({ length: size }, (_, place) => (place === index ? leaf : sha256(Buffer.of(place))));
  const path = { index, size, hashes: pathOf(index, leaves).map((each) => each.toString("hex")) };
  return { root: rootOf(leaves), path };
}

const uuid = (text: JsonValue | undefined) => Buffer.from(String(text).replaceAll("-", ""), "hex");

/** Places of the chain among those of its organization, and of the organization among all. */
export type Places = readonly [index: number, size: number, index: number, size: number];

/** seal.json for the chain up to this event. */
export async function madeSeal(by: Pair, about: Json, event: Json, places: Places = [2, 5, 4, 7]): Promise<Json> {
  const { seq, hash } = event as { seq: number; hash: string };
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(seq));
  const chain = Buffer.concat([uuid(about["envelope_id"]), place, Buffer.from(hash, "hex")]);
  const own = treeWith(chain, places[0], places[1]);
  const all = treeWith(Buffer.concat([uuid(about["tenant_id"]), own.root]), places[2], places[3]);
  const stated = {
    number: 3,
    sealed_at: "2026-11-21T03:00:00.000000+00:00",
    chains: 12,
    root: all.root.toString("hex"),
  };
  const evidence = {
    ...stated,
    kind: "audit_seal",
    schema_version: 1,
    previous: "0".repeat(64),
    hash_algorithm: "SHA-256",
    tree: "RFC 9162",
    time_source: "platform_server_clock_utc",
    key_id: by.keyIds[0],
    pq_key_id: by.keyIds[1],
    hybrid_policy: "AND",
  };
  const [ed25519, mlDsa87] = (await evidenceFile(by, canonicalJson(evidence))).signatures;
  const signatures = {
    platform_signature: ed25519?.signature ?? null,
    platform_key_id: by.keyIds[0],
    platform_signature_pq: mlDsa87?.signature ?? null,
    platform_pq_key_id: by.keyIds[1],
  };
  const paths = { organization_path: own.path, seal_path: all.path };
  return { seal: { ...stated, evidence, ...signatures }, leaf: { seq, hash }, ...paths, dated: null, witnessed: null };
}

/** The parts of a dossier, each to be changed before it is packed. */
export interface MadeDossier {
  evidence: Json;
  seal: Json | null;
  /** The other files. */
  files: Files;
}

const ORIGINAL = Buffer.from("original");
const DOCUMENT = "019a9fd0-6c3e-7b51-9c55-000000000004";

interface Ended {
  readonly status?: string;
  readonly isSigned?: boolean;
  readonly isSealed?: boolean;
  readonly changes?: Json;
  readonly places?: Places;
  /** Events after the end, which the seal does not cover. */
  readonly later?: readonly string[];
  readonly sealedBy?: Pair;
}

/** The dossier of an envelope that ended without a completion, after nobody or one participant signed. */
export async function endedDossier(by: Pair, ended: Ended = {}): Promise<MadeDossier> {
  const { status = "declined", isSigned = false, isSealed = true, changes = {}, later = [], sealedBy = by } = ended;
  const made = await madeEnvelope(by, changes, [opened({ name: "Ana Prado" })]);
  const about = made.early["envelope"] as Json;
  const digest = hexOf(ORIGINAL);
  const documents = [{ document_id: DOCUMENT, sha256: digest }];
  const events = isSigned ? [...(made.early["events"] as Json[])] : [];
  const add = (action: string, details: Json) =>
    events.push(eventAfter(events.at(-1), about, `envelope.${action}`, details, "203.0.113.7"));
  if (!isSigned) add("sent", { verification_code: CODE, documents });
  add(status, { status });
  const end = events.at(-1) as Json;
  for (const action of later) add(action, {});
  return {
    evidence: {
      envelope: about,
      keys: made.early["keys"] ?? [],
      records: isSigned ? (made.early["records"] ?? []) : [],
      documents: [{ document_id: DOCUMENT, position: 1, filename: "contract.pdf", sha256: digest, final_sha256: null }],
      events,
    },
    seal: isSealed ? await madeSeal(sealedBy, about, end, ended.places) : null,
    files: { [`originals/1-${DOCUMENT}.pdf`]: ORIGINAL, ...OTHERS },
  };
}

/** What names the envelope of a completed dossier. */
export const aboutOf = (evidence: Json): Json => JSON.parse(String(evidence["payload"])) as Json;

/** An event after the completion, and what it says. */
export type Later = readonly [action: string, details: Json];

/** The dossier of a completed envelope, with a seal of the last of these events, which follow the completion. */
export async function completedDossier(
  by: Pair,
  later: readonly (string | Later)[],
  given?: readonly MadeRecord[],
): Promise<MadeDossier & { seal: Json }> {
  const evidence = { ...(await madeEnvelope(by, {}, given)).report };
  const about = aboutOf(evidence);
  const [{ sha256: digest, final_sha256 }] = about["documents"] as [{ sha256: string; final_sha256: string }];
  const events = [...(evidence["events"] as Json[])];
  for (const each of later) {
    const [action, details] = typeof each === "string" ? [each, {}] : each;
    events.push(eventAfter(events.at(-1), about, `envelope.${action}`, details));
  }
  const documents = [{ document_id: DOCUMENT, position: 1, filename: "contract.pdf", sha256: digest, final_sha256 }];
  return {
    evidence: { ...evidence, events, documents },
    seal: await madeSeal(by, about, events.at(-1) ?? {}),
    files: {
      [`originals/1-${DOCUMENT}.pdf`]: ORIGINAL,
      [`final/1-${DOCUMENT}.pdf`]: Buffer.from("final"),
      ...OTHERS,
    },
  };
}

const OTHERS: Files = Object.fromEntries(
  ["report.pdf", "keys.json", "LEIA-ME.txt", "README.txt"].map((name) => [name, Buffer.from(name)]),
);

/** The files of a dossier, without SHA256SUMS. */
export const filesOf = ({ evidence, seal, files }: MadeDossier): Files => ({
  ...files,
  "evidence.json": Buffer.from(JSON.stringify(evidence)),
  ...(seal === null ? {} : { "seal.json": Buffer.from(JSON.stringify(seal)) }),
});

/** A ZIP of these files as the platform writes it, with the digests that belong to them. */
export async function packed(files: Files): Promise<Buffer> {
  const sums = Object.entries(files).map(([name, bytes]) => `${hexOf(bytes)}  ${name}\n`);
  const all = { ...files, SHA256SUMS: Buffer.from(sums.join("")) };
  const entries = Object.entries(all).map(([name, content]) => ({ name, size: content.length, content }));
  const { length, open } = await storedZip(entries, new Date(0));
  return buffer(open(0, length - 1));
}
