import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * While a request that has arrived whole is worked on, its connection is silent because of us, not because of its caller. The time-out of
 * silent connections begins anew with the answer: an import may take minutes, and its caller must get the answer.
 */
export function keepWhileWorking(app: FastifyInstance): void {
  const restore = (socket: Socket) => {
    if (!socket.destroyed && socket.timeout === 0) socket.setTimeout(app.server.timeout);
  };
  app.addHook("preHandler", (request, reply, next) => {
    const { raw } = request;
    if (raw.complete) {
      raw.socket.setTimeout(0);
      reply.raw.once("close", () => restore(raw.socket));
    }
    next();
  });
  app.addHook("onSend", (request, _reply, _payload, next) => {
    restore(request.raw.socket);
    next();
  });
}
