/** Every way in which a proof can be tampered with, for tests. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { verify } from "../../src/verifier/verify.ts";
import { apiProof, type EvidenceFile, evidenceFile, FILE, hashed, live } from "./made-proofs.ts";

const file = hashed(FILE);
const trusted = readKeys(JSON.stringify(live.keys));
const genuine = await evidenceFile(live);

/** Anything but passed, whether found by a check or because it cannot even be read. */
function outcome(proof: object, of = file): string {
  try {
    return verify(readEvidence(JSON.stringify(proof)), of, trusted).verdict;
  } catch (error) {
    if (error instanceof UnreadableError) return "unreadable";
    throw error;
  }
}

function flipped(bytes: Uint8Array, place: number, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  const index = place % changed.length;
  changed[index] = (changed[index] ?? 0) ^ (1 << bit);
  return changed;
}
const place = fc.nat();
const bit = fc.nat({ max: 7 });

/** How often each way of tampering is tried, each time at another place. */
export interface Runs {
  readonly flips: number;
  readonly members: number;
  readonly json: number;
}

/** The tests of every way in which a proof can be tampered with. */
export function tamperingTests(runs: Runs): void {
  const RUNS = { numRuns: runs.flips };

  test("the untouched proof passes, or none of this would mean anything", () => {
    expect(outcome(genuine)).toBe("proved");
    expect(outcome(apiProof(genuine, true))).toBe("proved");
  });

  describe("one flipped bit never passes", () => {
    test("in the payload", () => {
      fc.assert(
        fc.property(place, bit, (at, which) => {
          const payload = flipped(Buffer.from(genuine.payload, "utf8"), at, which).toString("utf8");
          expect(outcome({ ...genuine, payload })).not.toBe("proved");
        }),
        RUNS,
      );
    });

    test.for([0, 1])("in signature %d", (which) => {
      fc.assert(
        fc.property(place, bit, (at, flip) => {
          const proof: EvidenceFile = structuredClone(genuine);
          const signature = proof.signatures[which];
          if (!signature) throw new Error("no signature");
          signature.signature = flipped(Buffer.from(signature.signature, "base64"), at, flip).toString("base64");
          expect(outcome(proof)).toBe("failed");
          expect(outcome(apiProof(proof, true))).toBe("failed");
        }),
        RUNS,
      );
    });

    test.for([0, 1])("in delivered key %d, and a trusted list so damaged is refused", (which) => {
      fc.assert(
        fc.property(place, bit, (at, flip) => {
          const keys = structuredClone(genuine.keys);
          const key = keys[which] ?? {};
          key["public_key"] = flipped(Buffer.from(String(key["public_key"]), "base64"), at, flip).toString("base64");
          expect(outcome({ ...genuine, keys })).toBe("unreadable");
          expect(() => readKeys(JSON.stringify(keys))).toThrow(UnreadableError);
          // Under its own id it is a key, but not one that anybody signed with.
          delete key["key_id"];
          expect(verify(readEvidence(JSON.stringify({ ...genuine, keys })), file, null).verdict).not.toBe("proved");
          expect(verify(readEvidence(JSON.stringify(genuine)), file, readKeys(JSON.stringify(keys))).verdict).toBe(
            "failed",
          );
        }),
        RUNS,
      );
    });

    test("in the file", () => {
      fc.assert(
        fc.property(place, bit, (at, flip) => {
          expect(outcome(genuine, hashed(flipped(FILE, at, flip)))).toBe("failed");
        }),
        RUNS,
      );
    });

    test("in the base64 of a signature, as a text", () => {
      fc.assert(
        fc.property(fc.nat({ max: 1 }), place, fc.string({ minLength: 1, maxLength: 1 }), (which, at, character) => {
          const proof: EvidenceFile = structuredClone(genuine);
          const signature = proof.signatures[which];
          if (!signature) throw new Error("no signature");
          const text = signature.signature;
          const index = at % text.length;
          fc.pre(text[index] !== character);
          signature.signature = text.slice(0, index) + character + text.slice(index + 1);
          expect(outcome(proof)).not.toBe("proved");
        }),
        RUNS,
      );
    });
  });

  test("any member of another value never passes, in whichever form", () => {
    const signed = JSON.parse(genuine.payload) as Record<string, unknown>;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(signed)), fc.jsonValue(), (name, value) => {
        fc.pre(!Object.is(signed[name], value));
        const changed = { ...signed, [name]: value };
        expect(outcome({ ...genuine, payload: JSON.stringify(changed) })).not.toBe("proved");
        expect(outcome({ ...apiProof(genuine, false), evidence: changed })).not.toBe("proved");
      }),
      { numRuns: runs.members },
    );
  });

  test("whatever JSON it is given, it answers or says that it cannot be read", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const likeEvidence = fc.record(
      {
        payload: fc.oneof(json, fc.json()),
        signatures: json,
        keys: json,
        evidence: json,
        redacted: json,
        platform_keys: json,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(json, likeEvidence), (value) => {
        expect(outcome(value as object)).not.toBe("proved");
      }),
      { numRuns: runs.json },
    );
  });
}
