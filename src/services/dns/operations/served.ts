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
export async function served(
  { call, parts }: Pick<Work<DnsParts>, "call" | "parts">,
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<Answer> {
  const done = await call(command, parameters, status);
  const { zone, answer } = JSON.parse(done.body ?? "null") as Served;
  // The change is committed. Whatever becomes of the flush, the answer stands; a job flushes again.
  const isChanged = zone !== null && !done.replayed;
  if (isChanged) parts.dnsMetrics.changed();
  const flushed = isChanged ? await parts.flush(zone) : null;
  if (flushed !== null) parts.dnsMetrics.flushed(flushed.confirmed, flushed.of - flushed.confirmed);
  const headers = flushed === null ? {} : { [NAMESERVERS]: `${flushed.confirmed}/${flushed.of}` };
  return { ...done, body: JSON.stringify(answer), headers };
}
