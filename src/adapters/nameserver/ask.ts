import { ProgramError } from "../programs/program-error.ts";
import { askServer, type DnsServer } from "../resolver/exchange.ts";
import { type Question, type Reply, WHOLE_MESSAGES } from "../resolver/message.ts";

export interface AskOptions {
  /** Of one attempt. */
  readonly timeoutMs?: number;
  /** Datagrams may be lost. */
  readonly attempts?: number;
}

/**
 * Asks a nameserver of ours over UDP, and over TCP if the answer is truncated. Asks for no recursion.
 * @throws ProgramError if no answer comes
 */
export async function askDns(server: DnsServer, question: Question, options: AskOptions = {}): Promise<Reply> {
  const { timeoutMs = 2_000, attempts = 2 } = options;
  let last: unknown;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await askServer(server, question, { recursive: false, timeoutMs, limits: WHOLE_MESSAGES });
    } catch (error) {
      last = error;
    }
  }
  const why = last instanceof Error ? last.message : String(last);
  throw new ProgramError(`${server.host}:${server.port} does not answer: ${why}`, { cause: last });
}
