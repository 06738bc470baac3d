import type { FastifyRequest } from "fastify";
import { malformedRequest } from "../../errors/app-error.ts";

/** A signal that is aborted when the sender goes away before the request has arrived whole. */
export function brokenOff({ raw }: Pick<FastifyRequest, "raw">): AbortSignal {
  const controller = new AbortController();
  const closed = () => {
    if (!raw.complete) controller.abort(malformedRequest("The request broke off before its end."));
  };
  if (raw.destroyed) closed();
  else raw.once("close", closed);
  return controller.signal;
}
