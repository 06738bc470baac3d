import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LeafVersion, VersionedTree } from "../../../src/adapters/crypto/versioned-tree.ts";

const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 9162 §2.1.1 as it is written there, of leaves that are hashed already. */
function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as Uint8Array;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

function rootsByTheRfc(versions: readonly number[], leaves: readonly (readonly LeafVersion[])[]) {
  return versions.map((version) => {
    const there = leaves.flatMap((history) => history.findLast(({ since }) => since <= version)?.hash ?? []);
    return { leaves: there.length, root: Buffer.from(treeHash(there)) };
  });
}

test("the roots of any versions are those of the RFC, computed for each by itself", () => {
  const histories = fc.array(
    fc
      .uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 4 })
      .map((since) => since.sort((left, right) => left - right).map((since) => ({ since, hash: randomBytes(32) }))),
    { maxLength: 70 },
  );
  const versions = fc
    .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 })
    .map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(versions, histories, (numbers, leaves) => {
      const tree = new VersionedTree(numbers);
      for (const history of leaves) tree.add(history);
      expect(tree.roots()).toEqual(rootsByTheRfc(numbers, leaves));
    }),
    { numRuns: 300 },
  );
});

test("a tree that grew by three leaves with each of a thousand versions", () => {
  const versions = Array.from({ length: 1000 }, (_, place) => place + 1);
  const tree = new VersionedTree(versions);
  const leaves = Array.from({ length: 3000 }, (_, place) => [
    { since: Math.max(1, Math.floor(place / 3)), hash: sha256(Buffer.from([place])) },
  ]);
  for (const history of leaves) tree.add(history);
  const some = [1, 2, 500, 1000];
  expect(some.map((version) => tree.roots()[version - 1])).toEqual(rootsByTheRfc(some, leaves));
});
