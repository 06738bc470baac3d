import { wrapped } from "../../../surfaces/cli/wrapped.ts";
import { type Instruction, labelsOf, type SetupLanguage } from "../delegation/setup-words.ts";
import { disablingInstructions, dnssecFacts, dnssecInstructions } from "../dnssec/dnssec-steps.ts";
import { chainIn, dnssecWordsOf, warningIn } from "../dnssec/dnssec-words.ts";
import type { Dnssec, Setup, Zone } from "./zone-client.ts";
import { factLines, pageOf, stepLines } from "./zone-page.ts";

/** Names of algorithm and digest types by their numbers (RFC 8624 §3.1, §3.3), where the service makes them. */
const ALGORITHMS: Readonly<Record<string, string>> = { 13: "ECDSAP256SHA256" };
const DIGESTS: Readonly<Record<string, string>> = { 2: "SHA-256", 4: "SHA-384" };

interface Report {
  readonly zone: Zone;
  readonly dnssec: Dnssec;
  /** Whether the parent publishes a DS record of a key now, the oldest key first; null where it did not answer. */
  readonly at_parent: readonly (boolean | null)[];
  /** What is left to do until the chain of trust is whole, or the new key has taken over. */
  readonly instructions: readonly Instruction[];
  /** The steps to disable DNSSEC. Empty while the zone is not signed. */
  readonly disabling: readonly Instruction[];
}

/** What `selo zone dnssec` says. */
export function dnssecReport(zone: Zone, dnssec: Dnssec, setup: Setup, language: SetupLanguage): Report {
  const { parent_ns, parent_ds, delegated } = setup;
  const facts = dnssecFacts(zone, dnssec, {
    delegated,
    // An active zone counts as pointed here until the parent says something else.
    elsewhere: !delegated && (zone.status !== "active" || parent_ns !== null),
    parent_ds,
  });
  return {
    zone,
    dnssec,
    at_parent: facts.keys.map(({ is_at_parent }) => is_at_parent),
    instructions: dnssecInstructions(facts, language, "terminal"),
    disabling: disablingInstructions(facts, language),
  };
}

/** The report for people. A DS record stands whole on its own line, however long it is. */
export function dnssecPage(
  { zone, dnssec, at_parent, instructions, disabling }: Report,
  language: SetupLanguage,
): string {
  const labels = labelsOf(language);
  const own = dnssecWordsOf(language).labels;
  const [toSign, signed, rotation] = own.headings;
  const [seen, unseen, unanswered] = own.seen;
  const [active, inactive] = own.states;
  return pageOf([
    ...factLines([
      [labels.zone, zone.name],
      ["DNSSEC", dnssec.enabled ? own.on : own.off],
      [own.chain, chainIn(language, dnssec.chain, zone.status)],
      [labels.checked, zone.checked_at ?? labels.never],
    ]),
    ...dnssec.warnings.flatMap(({ code, message }) => [
      "",
      ...wrapped(`${own.warning}${warningIn(language, code, zone.status) ?? message}`),
    ]),
    ...dnssec.keys.flatMap((key, place) => {
      const [tag = ""] = (key.ds_records[0] ?? "").split(" ");
      const there = at_parent[place] ?? null;
      return [
        "",
        own.key(tag, dnssec.keys.length === 1 ? "only" : place === 0 ? "old" : "new"),
        "",
        ...factLines([
          [own.algorithm, key.algorithm],
          [own.state, key.active ? active : inactive],
          [own.since, key.created_at],
          [own.atParent, there === null ? unanswered : there ? seen : unseen],
        ]),
        ...key.ds_records.flatMap((ds) => dsLines(ds, language)),
      ];
    }),
    ...(dnssec.keys.length === 0 ? [] : ["", ...wrapped(own.form)]),
    "",
    dnssec.keys.length === 0 ? toSign : dnssec.keys.length === 1 ? signed : rotation,
    ...stepLines(instructions),
    ...(disabling.length === 0 ? [] : ["", own.toDisable, ...stepLines(disabling)]),
  ]);
}

/** A DS record as registrars ask for it: whole, and by its fields (RFC 4034 §5.1). */
function dsLines(ds: string, language: SetupLanguage): string[] {
  const { copy, fields } = dnssecWordsOf(language).labels;
  const [tag = "", algorithm = "", type = "", digest = ""] = ds.split(" ");
  const named = (number: string, names: Readonly<Record<string, string>>) =>
    names[number] === undefined ? number : `${number} (${names[number]})`;
  const values = [tag, named(algorithm, ALGORITHMS), named(type, DIGESTS), digest];
  return [
    "",
    copy(DIGESTS[type] ?? type),
    "",
    ds,
    "",
    ...factLines(fields.map((label, place) => [label, values[place] ?? ""] as const)),
  ];
}
