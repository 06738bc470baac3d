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
export const served = async (
  { call }: Pick<Work<DnsParts>, "call">,
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  status = 200,
): Promise<Answer> => forCaller(await call(command, parameters, status));

/** What the caller gets of the answer of such a command, also where it is the answer to an earlier request. */
export function forCaller(done: Answer): Answer {
  const { answer } = JSON.parse(done.body ?? "null") as Served;
  return { ...done, body: JSON.stringify(answer) };
}
