import { Agent, buildConnector } from "undici";
import { limitAnswers, MOST_ANSWER_BYTES } from "./answer-limit.ts";

/**
 * Asks one service that the operator names, at any address. The request as a whole has the limit of its caller, so its parts have none.
 * @param connectMs time limit of a connection, in milliseconds
 */
export function limitedAgent(connectMs: number): Agent {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return new Agent({
    // Interim answers and heads are limited, too: no limit of a body counts them.
    connect: (options, callback) =>
      connect(options, (...outcome) => {
        const [error, socket] = outcome;
        if (error === null) limitAnswers(socket);
        callback(...outcome);
      }),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    // See WebhookSender.
    maxHeaderSize: 2 * MOST_ANSWER_BYTES,
  });
}
