import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import type { DnsParts } from "../parts.ts";
import { NAMESERVERS } from "../surface.ts";

/** What commands answer that change what the nameservers serve: the name of the zone, null where nothing changed, and the answer for the caller. */
interface Served {
  readonly zone: string | null;
  readonly answer: unknown;
}

/** Calls a command that changes a zone. */
export const served = async (
  { call, parts }: Pick<Work<DnsParts>, "call" | "parts">,
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<Answer> => forCaller(parts, await call(command, parameters, status));

/**
 * Has the nameservers forget what they knew of the zone that such a command changed.
 * @returns what the caller gets of the command's answer, also where it is the answer to an earlier request
 */
export async function forCaller({ dnsMetrics, flush }: DnsParts, done: Answer): Promise<Answer> {
  const { zone, answer } = JSON.parse(done.body ?? "null") as Served;
  // The change is committed. Whatever becomes of the flush, the answer stands; a job flushes again.
  const isChanged = zone !== null && !done.replayed;
  if (isChanged) dnsMetrics.changed();
  const flushed = isChanged ? await flush(zone) : null;
  if (flushed !== null) dnsMetrics.flushed(flushed.confirmed, flushed.of - flushed.confirmed);
  const headers = flushed === null ? {} : { [NAMESERVERS]: `${flushed.confirmed}/${flushed.of}` };
  return { ...done, body: JSON.stringify(answer), headers };
}
