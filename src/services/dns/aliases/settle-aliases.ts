import { setTimeout as sleep } from "node:timers/promises";
import type { Work } from "../../../surfaces/operation.ts";
import type { DnsParts } from "../parts.ts";
import { ALIAS_MS } from "./alias-targets.ts";

/** What `dns.open_aliases` says that a request has left to do. */
export interface OpenAliases {
  /** The organization: an opaque name. */
  readonly organization: string;
  /** The time of the database before the public DNS is asked, as it writes it. */
  readonly began: string;
  /** Names to ask the public DNS for. */
  readonly targets: readonly string[];
  /** Other zones whose addresses changed in the transaction. */
  readonly zones: readonly string[];
  /** Whether some ALIAS names of the organization are not settled. */
  readonly is_open: boolean;
}

/** Between two tries, while somebody changes a zone on the way. */
const AGAIN_MS = 50;

/**
 * Settles the ALIAS names that a change left open, in two seconds at most. A worker does what is left then. No transaction is open while the public
 * DNS is asked.
 * @returns the zones whose addresses changed, beside the one of the request, and whether a worker has some left to settle
 */
export async function settleAliases(
  { parts, requester }: Pick<Work<DnsParts>, "parts" | "requester">,
  { organization, began, targets, zones, is_open }: OpenAliases,
): Promise<{ readonly zones: ReadonlySet<string>; readonly isOpen: boolean }> {
  const changed = new Set(zones);
  if (!is_open) return { zones: changed, isOpen: false };
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ALIAS_MS);
  try {
    let answers = await parts.aliasTargets.ask(targets, waiting.signal, organization);
    const answered = answers.length;
    for (;;) {
      const { body } = await parts.database.call({
        credentialHash: requester.credentialHash,
        command: "settle_dns_aliases",
        arguments: { began, answers },
        origin: requester.origin,
        // The key of the request belongs to its own command.
        idempotency: null,
      });
      const settled = JSON.parse(body ?? "null") as Pick<OpenAliases, "zones" | "is_open">;
      for (const zone of settled.zones) changed.add(zone);
      if (!settled.is_open || waiting.signal.aborted)
        return { zones: changed, isOpen: settled.is_open || answered < targets.length };
      answers = [];
      // Two who wait for each other come back at different times.
      await sleep(AGAIN_MS * (0.5 + Math.random()));
    }
  } finally {
    clearTimeout(timer);
  }
}
