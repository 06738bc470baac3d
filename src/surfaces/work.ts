import { invalidRequest } from "../errors/app-error.ts";
import { type AnyCommand, commandFacts } from "../postgres/any-command.ts";
import type { Idempotency } from "../postgres/call.ts";
import type { Database } from "../postgres/database.ts";
import type { ReceivedFile, Requester, Work } from "./operation.ts";

/** The argument of an operation's `run`, the same for every surface. */
export function workOf<Parts extends { readonly database: Database }>(
  parts: Parts,
  requester: Requester,
  file: ReceivedFile | null,
  prefers: Work<Parts>["prefers"] = "json",
): Work<Parts> {
  const { database } = parts;
  const { credentialHash, origin, idempotency, ofHeaders } = requester;
  const work: Work<Parts> = {
    parts,
    file,
    prefers,
    requester,
    call(command, parameters, status = 200) {
      const call = {
        credentialHash,
        command,
        arguments: withHeaders(command, parameters, ofHeaders),
        status,
        origin,
        idempotency,
      };
      const { writes, slow, arguments: taken } = commandFacts(command);
      if (writes || idempotency !== null) return database.call(call);
      // Single reads travel together; a list, or what takes long, would delay them.
      return slow || "limit" in taken ? database.list(call) : database.read(call);
    },
    async prepared<Body>(
      command: Parameters<Work<Parts>["call"]>[0],
      parameters: Readonly<Record<string, unknown>>,
      act: (body: Body) => ReturnType<Work<Parts>["call"]>,
    ) {
      const answer = await work.call(command, parameters);
      return answer.replayed ? answer : act(JSON.parse(answer.body ?? "null") as Body);
    },
  };
  return work;
}

/** Who keeps the Idempotency-Key of a request: the database with the answer, or the operation with what it makes. */
export const keyFor = (
  { keepsKey }: { readonly keepsKey?: number },
  idempotency: Idempotency | null,
): Pick<Requester, "idempotency" | "keptKey"> => {
  if (keepsKey === undefined) return { idempotency };
  const keptKey = idempotency?.key ?? null;
  if (keptKey !== null && keptKey.length > keepsKey)
    throw invalidRequest([{ field: "Idempotency-Key", message: `must have at most ${keepsKey} characters` }]);
  return { idempotency: null, keptKey };
};

/** The parameters of a command, with those that headers of the request give it. */
export function withHeaders(
  command: AnyCommand,
  parameters: Readonly<Record<string, unknown>>,
  ofHeaders: Requester["ofHeaders"] = {},
): Readonly<Record<string, unknown>> {
  const { arguments: taken } = commandFacts(command);
  return { ...parameters, ...Object.fromEntries(Object.entries(ofHeaders).filter(([name]) => name in taken)) };
}
