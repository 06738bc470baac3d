import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import type { DnsParts } from "../parts.ts";

/** What commands answer that change what the nameservers serve: the name of the zone, and the answer for the caller. */
interface Served {
  readonly zone: string;
  readonly answer: unknown;
}

/** Calls a command that changes a zone. */
export async function served(
  { call }: Pick<Work<DnsParts>, "call">,
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<Answer> {
  const done = await call(command, parameters, status);
  const { answer } = JSON.parse(done.body ?? "null") as Served;
  return { ...done, body: JSON.stringify(answer) };
}
