import { Agent } from "undici";
import { limitAnswers, MOST_ANSWER_BYTES } from "./answer-limit.ts";
import { operatorConnector } from "./operator-connection.ts";

/**
 * Asks one service that the operator names, at any address. The request as a whole has the limit of its caller, so its parts have none.
 * @param connectMs time limit of a connection, in milliseconds
 */
export function limitedAgent(connectMs: number): Agent {
  return new Agent({
    // Interim answers and heads are limited, too: no limit of a body counts them.
    connect: operatorConnector({ timeout: connectMs }, limitAnswers),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    // See WebhookSender.
    maxHeaderSize: 2 * MOST_ANSWER_BYTES,
  });
}
