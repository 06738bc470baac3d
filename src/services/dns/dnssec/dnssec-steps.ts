import type { Instruction, SetupLanguage } from "../delegation/setup-words.ts";
import { dnssecWordsOf, type Place, type Step, type ZoneFacts } from "./dnssec-words.ts";

/** A key, and whether the parent publishes a DS record of it. */
interface KeyFacts {
  readonly key_id: number;
  /** Null where the parent did not answer. */
  readonly is_at_parent: boolean | null;
}

/** What the steps depend on. */
export interface DnssecFacts {
  readonly zone: ZoneFacts;
  /** The oldest first: none, one, or two in a rotation. */
  readonly keys: readonly KeyFacts[];
  /** At the last check: `unsigned`, `no_ds`, `ds_published`, `broken` or `unknown`. */
  readonly chain: string;
  /** Codes of the warnings. */
  readonly warnings: readonly string[];
  /** Whether the domain points to the nameservers of its zone. */
  readonly delegated: boolean;
  /** Whether it points to other nameservers, as far as anybody knows. */
  readonly elsewhere: boolean;
  /** The DS records that the parent publishes; null where it did not answer. */
  readonly parent_ds: readonly string[] | null;
}

/**
 * What the steps depend on, of a zone's status and of what its parent answered.
 * @param seen `parent_ds` is null where the parent did not answer
 */
export const dnssecFacts = (
  zone: ZoneFacts,
  {
    keys,
    chain,
    warnings,
  }: {
    readonly keys: readonly { readonly key_id: number; readonly ds_records: readonly string[] }[];
    readonly chain: string;
    readonly warnings: readonly { readonly code: string }[];
  },
  { delegated, elsewhere, parent_ds }: Pick<DnssecFacts, "delegated" | "elsewhere" | "parent_ds">,
): DnssecFacts => ({
  zone,
  keys: keys.map(({ key_id, ds_records }) => ({
    key_id,
    is_at_parent: parent_ds === null ? null : ds_records.some((ds) => parent_ds.includes(ds)),
  })),
  chain,
  warnings: warnings.map(({ code }) => code),
  delegated,
  elsewhere,
  parent_ds,
});

/** Warnings that the parent has DS records, and none of them belongs to a key of the zone. */
const FOREIGN_DS = ["ds_still_published", "ds_without_key"];

const numbered = (steps: readonly (readonly [step: Step, done: boolean])[]): Instruction[] =>
  steps.map(([[title, text], done], place) => ({ step: place + 1, title, text, done }));

/** Whether the parent has DS records of other keys alone: it says so now, or did at the last check. One of its servers may be late. */
const hasForeignDs = ({ keys, warnings, parent_ds }: DnssecFacts): boolean =>
  !keys.some(({ is_at_parent }) => is_at_parent === true) &&
  ((parent_ds ?? []).length > 0 || warnings.some((code) => FOREIGN_DS.includes(code)));

/**
 * What is left to do until a zone is signed and its chain of trust is whole, in order; in a rotation, until the new key has taken over.
 * A resolver may hold what the parent or the zone said before. So each step that takes something away comes after a wait (dns-hosting §4, RFC 6781 §4.1.2).
 */
export function dnssecInstructions(facts: DnssecFacts, language: SetupLanguage, place: Place): Instruction[] {
  const { zone, keys, chain, warnings, delegated, elsewhere } = facts;
  const say = dnssecWordsOf(language, place);
  const [old, next] = keys;
  // While the domain points to another provider, that provider's DS record is right. With it, the answers of this service would be refused.
  const beforeMove: readonly (readonly [Step, boolean])[] =
    elsewhere && hasForeignDs(facts)
      ? [
          [say.removeOther, false],
          [say.forgetForeign, false],
        ]
      : [];
  if (old === undefined)
    return numbered([
      ...beforeMove,
      ...(beforeMove.length === 0 && warnings.includes("ds_still_published")
        ? ([
            [say.removeForeign, false],
            [say.forgetForeign, false],
          ] as const)
        : []),
      [say.enable(zone), false],
      [say.pointHere(zone.name), delegated],
      [say.publishLater, false],
    ]);
  const isForeignAlone = beforeMove.length === 0 && chain === "broken" && hasForeignDs(facts);
  if (next === undefined)
    return numbered([
      [say.enabled, true],
      ...beforeMove,
      [say.pointHere(zone.name), delegated],
      [isForeignAlone ? say.replace : say.publish, old.is_at_parent === true],
      [say.untilSeen(zone.name), old.is_at_parent === true && chain === "ds_published"],
    ]);
  const isNewSeen = next.is_at_parent === true;
  // The parent has answered what it publishes: otherwise the new one would not be seen.
  const isOldGone = isNewSeen && old.is_at_parent === false;
  return numbered([
    [say.newKey, true],
    ...beforeMove,
    // A DS record of ours would break the answers of another provider.
    ...(elsewhere ? ([[say.pointHere(zone.name), false]] as const) : []),
    [isForeignAlone ? say.replaceByNew : say.publishBeside, isNewSeen],
    [say.untilNewSeen(zone.name), isNewSeen],
    [say.untilForgotten, isOldGone],
    [say.removeOldDs, isOldGone],
    [say.untilOldForgotten, false],
    [say.removeOldKey(zone, old.key_id), false],
  ]);
}

/** How a signed zone is signed no longer, in order. */
export function disablingInstructions({ zone, keys, chain }: DnssecFacts, language: SetupLanguage): Instruction[] {
  if (keys.length === 0) return [];
  const { removeDs, untilDsForgotten, disable } = dnssecWordsOf(language);
  // Without an answer a DS record is not seen either. So the last check, which had one, must agree.
  const isGone = chain === "no_ds" && keys.every((key) => key.is_at_parent === false);
  return numbered([
    [removeDs, isGone],
    [untilDsForgotten, false],
    [disable(zone), false],
  ]);
}
