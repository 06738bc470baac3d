import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import { type OpenAliases, settleAliases } from "../aliases/settle-aliases.ts";
import type { DnsParts } from "../parts.ts";
import { NAMESERVERS } from "../surface.ts";

type OfCaller = Pick<Work<DnsParts>, "parts" | "requester">;

/** What commands answer that change what the nameservers serve. */
interface Served {
  /** The name of the zone; null where nothing changed. */
  readonly zone: string | null;
  /** What is left to do for ALIAS names; null, or absent, for nothing. */
  readonly aliases?: OpenAliases | null;
  /** For the caller. */
  readonly answer: unknown;
}

/** Calls a command that changes a zone. */
export const served = async (
  work: OfCaller & Pick<Work<DnsParts>, "call">,
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<Answer> => forCaller(work, await work.call(command, parameters, status));

/**
 * Settles the ALIAS names that follow such a command, and has the nameservers forget what they knew of the zones that changed.
 * @returns what the caller gets of the command's answer, also where it is the answer to an earlier request
 */
export async function forCaller(work: OfCaller, done: Answer): Promise<Answer> {
  const { dnsMetrics, nameservers } = work.parts;
  const { zone, aliases, answer } = JSON.parse(done.body ?? "null") as Served;
  if (zone === null) return { ...done, body: JSON.stringify(answer), headers: {} };
  // The change is committed. Whatever becomes of the rest, the answer stands; jobs do it again.
  if (!done.replayed) dnsMetrics.changed();
  const others = aliases ? await followed(work, aliases, done.replayed) : [];
  // Flush on replays too: the first process may have died after committing.
  const flushed = await nameservers.flush([...new Set([zone, ...others])]);
  if (flushed !== null) dnsMetrics.flushed(flushed.confirmed, flushed.of - flushed.confirmed);
  const headers = flushed === null ? {} : { [NAMESERVERS]: `${flushed.confirmed}/${flushed.of}` };
  return { ...done, body: JSON.stringify(answer), headers };
}

/** The other zones whose ALIAS names followed. What fails here, or was left by an earlier request, a worker does. */
async function followed(work: OfCaller, aliases: OpenAliases, isReplayed: boolean): Promise<Iterable<string>> {
  if (isReplayed) return aliases.zones;
  try {
    const { zones, isOpen } = await settleAliases(work, aliases);
    if (isOpen) work.parts.dnsMetrics.aliasesLeft();
    return zones;
  } catch {
    work.parts.dnsMetrics.aliasesLeft();
    return aliases.zones;
  }
}
