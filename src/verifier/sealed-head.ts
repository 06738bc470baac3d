import { bytesOf, digestOf } from "./digests.ts";
import { isObject } from "./envelope-form.ts";
import { type Evidence, readSignedMembers } from "./evidence.ts";
import { FIXED, SHAPES } from "./evidence-form.ts";
import { member, type PlatformKey, parseJson, UnreadableError } from "./keys.ts";

/** Where a leaf stands in a tree of RFC 9162, and the hashes beside its way to the root (§2.1.3). */
interface Path {
  readonly index: number;
  readonly size: number;
  /** From the leaf up, in hexadecimal. */
  readonly hashes: readonly string[];
}

/** seal.json of a dossier: a seal of the audit trail, and the way from an event of the envelope to it. Nothing is checked yet. */
export interface SealedHead {
  /** The signed text of the seal. */
  readonly seal: Evidence;
  /** What the answer of the service says beside the signed text. */
  readonly stated: Readonly<Record<string, unknown>>;
  readonly leaf: { readonly seq: unknown; readonly hash: unknown };
  readonly organizationPath: unknown;
  readonly sealPath: unknown;
}

/**
 * Reads seal.json.
 * @param keys those that were delivered with the evidence
 * @throws UnreadableError
 */
export function readSealedHead(text: string, keys: readonly PlatformKey[]): SealedHead {
  const value = parseJson(text);
  const [stated, leaf] = [member(value, "seal"), member(value, "leaf")];
  if (!isObject(stated)) throw new UnreadableError("its seal.json has no seal");
  return {
    seal: readSignedMembers(stated, keys),
    stated,
    leaf: { seq: member(leaf, "seq"), hash: member(leaf, "hash") },
    organizationPath: member(value, "organization_path"),
    sealPath: member(value, "seal_path"),
  };
}

/** The members of a seal's evidence: README.md, "The audit trail". Further ones may follow in later versions; they are signed, too. */
const SEAL: Readonly<Record<string, RegExp>> = {
  sealed_at: SHAPES.registered_at,
  root: SHAPES.sha256,
  key_id: SHAPES.key_id,
  pq_key_id: SHAPES.pq_key_id,
};
const OF_SEAL = { ...FIXED, kind: "audit_seal", tree: "RFC 9162" };

/** Whether this is the text of a seal, and what stands beside it says the same. */
export function isSeal({ seal: { members }, stated }: SealedHead): boolean {
  return (
    Object.entries(OF_SEAL).every(([name, value]) => members[name] === value) &&
    Object.entries(SEAL).every(([name, shape]) => typeof members[name] === "string" && shape.test(members[name])) &&
    [members["number"], members["chains"]].every((each) => isCount(each) && each > 0) &&
    ["number", "sealed_at", "chains", "root"].every((name) => stated[name] === members[name])
  );
}

/**
 * How many events of a chain the seal covers, from the first on; null where it does not cover the chain.
 * @param about names the organization and the envelope
 * @param hashes of the events of the chain, each checked
 */
export function sealedLength(head: SealedHead, about: object, hashes: readonly string[]): number | null {
  const { seal, leaf, organizationPath, sealPath } = head;
  const { seq, hash } = leaf;
  // Of an event that is not here nobody can tell whether it follows these.
  if (!isCount(seq) || seq < 1 || typeof hash !== "string" || hashes[seq - 1] !== hash) return null;
  const { tenant_id: tenant, envelope_id: envelope } = about as Readonly<Record<string, unknown>>;
  if (!isUuid(tenant) || !isUuid(envelope)) return null;
  const ofChain = uuidHex(envelope) + seq.toString(16).padStart(16, "0") + hash;
  const organization = rootOf(ofChain, organizationPath);
  if (organization === null) return null;
  return rootOf(uuidHex(tenant) + organization, sealPath) === seal.members["root"] ? seq : null;
}

/** Longest way of a tree of 2^53 leaves. */
const HASHES_MAX = 53;

/**
 * The root of the tree that has this leaf at this place: RFC 9162 §2.1.3.2.
 * @param leaf in hexadecimal
 * @returns null where the path has another length than the place asks for
 */
function rootOf(leaf: string, path: unknown): string | null {
  if (!isPath(path)) return null;
  let [node, last] = [path.index, path.size - 1];
  let root = digestOf(bytesOf(`00${leaf}`));
  for (const hash of path.hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = digestOf(bytesOf(`01${hash}${root}`));
      // The last node of a level that has no neighbour goes up as it is.
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else root = digestOf(bytesOf(`01${root}${hash}`));
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}

function isPath(value: unknown): value is Path {
  if (!isObject(value)) return false;
  const { index, size, hashes } = value;
  return (
    isCount(index) &&
    isCount(size) &&
    index < size &&
    Array.isArray(hashes) &&
    hashes.length <= HASHES_MAX &&
    hashes.every((each) => typeof each === "string" && SHAPES.sha256.test(each))
  );
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isUuid = (value: unknown): value is string => typeof value === "string" && SHAPES.tenant_id.test(value);
const uuidHex = (uuid: string): string => uuid.replaceAll("-", "");
