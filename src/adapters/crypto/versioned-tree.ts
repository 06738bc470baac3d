import { hash as digest } from "node:crypto";

/** The value of a leaf from one version on. */
export interface LeafVersion {
  /** The number of the first version that has this value. */
  readonly since: number;
  /** SHA-256 of the leaf, with the prefix of leaves (32 bytes). */
  readonly hash: Uint8Array;
}

export interface VersionRoot {
  readonly leaves: number;
  readonly root: Buffer;
}

/** A full subtree. */
interface Node {
  readonly hash: Uint8Array;
  /** The node that it was last merged with, and the result, while one leaf is added: versions that do not differ there share both. */
  left: Node | null;
  parent: Node | null;
}

/** Consecutive versions that have had the same leaves so far. */
interface Group {
  /** Index of its first version; the versions up to the next group belong to it. */
  readonly first: number;
  leaves: number;
  /** Full subtrees from left to right, each smaller than the previous one. */
  readonly stack: Node[];
}

const NODE_PREFIX = 1;
const HASH_BYTES = 32;

/**
 * Roots of every version of a Merkle tree (RFC 9162 §2.1.1, SHA-256) that grew and changed, computed from its leaves in order,
 * each leaf seen once. Common parts of versions are hashed once, and memory holds a few nodes for each version that differs.
 */
export class VersionedTree {
  readonly #versions: readonly number[];
  readonly #groups: Group[] = [{ first: 0, leaves: 0, stack: [] }];
  /** Nodes that refer to others. The references are cleared, because they would keep the whole tree in memory. */
  readonly #merged: Node[] = [];
  readonly #scratch = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX);

  /** @param versions their numbers, ascending; changes older than the first belong to the first */
  constructor(versions: readonly number[]) {
    this.#versions = versions;
  }

  /**
   * Adds the next leaf.
   * @param history the values of the leaf by version, ascending. The leaf does not exist before its first value; values after the last version are ignored
   */
  add(history: readonly LeafVersion[]): void {
    for (const [place, { since, hash }] of history.entries()) {
      const next = history[place + 1];
      const from = this.#placeOf(since);
      const until = next === undefined ? this.#versions.length : this.#placeOf(next.since);
      if (from >= until) continue;
      const node: Node = { hash, left: null, parent: null };
      // In this order: a group that is split moves those after it.
      const first = this.#split(from);
      const last = this.#split(until);
      for (const group of this.#groups.slice(first, last)) this.#push(group, node);
    }
    for (const node of this.#merged) node.left = node.parent = null;
    this.#merged.length = 0;
  }

  /** The root of each version, in order. */
  roots(): VersionRoot[] {
    return this.#groups.flatMap((group, place) => {
      const until = this.#groups[place + 1]?.first ?? this.#versions.length;
      const root = { leaves: group.leaves, root: this.#rootOf(group) };
      return Array.from({ length: until - group.first }, () => root);
    });
  }

  /** Index of the first version that is not older than this number. */
  #placeOf(number: number): number {
    const versions = this.#versions;
    let [low, high] = [0, versions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((versions[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes a group begin at a version; returns the group's index. */
  #split(version: number): number {
    const groups = this.#groups;
    if (version === this.#versions.length) return groups.length;
    const place = groups.findLastIndex(({ first }) => first <= version);
    const group = groups[place] as Group;
    if (group.first === version) return place;
    groups.splice(place + 1, 0, { first: version, leaves: group.leaves, stack: [...group.stack] });
    return place + 1;
  }

  #push(group: Group, node: Node): void {
    const { stack } = group;
    stack.push(node);
    group.leaves++;
    for (let size = group.leaves; size % 2 === 0; size /= 2) {
      const right = stack.pop() as Node;
      stack.push(this.#merge(stack.pop() as Node, right));
    }
  }

  #merge(left: Node, right: Node): Node {
    if (right.left === left && right.parent !== null) return right.parent;
    const parent = { hash: this.#hashOf(left.hash, right.hash), left: null, parent: null };
    right.left = left;
    right.parent = parent;
    this.#merged.push(right);
    return parent;
  }

  #hashOf(left: Uint8Array, right: Uint8Array): Buffer {
    this.#scratch.set(left, 1);
    this.#scratch.set(right, 1 + HASH_BYTES);
    return digest("sha256", this.#scratch, "buffer");
  }

  #rootOf({ stack }: Group): Buffer {
    const [last, ...before] = stack.toReversed();
    if (last === undefined) return digest("sha256", "", "buffer");
    return Buffer.from(before.reduce<Uint8Array>((right, left) => this.#hashOf(left.hash, right), last.hash));
  }
}
