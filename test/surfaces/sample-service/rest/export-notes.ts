import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Call } from "../../../../src/postgres/call.ts";
import type { Database } from "../../../../src/postgres/database.ts";
import { credentialHash } from "../../../../src/surfaces/http/credential.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";

const AT_ONCE = 200;

/** `GET /notes/export`: all notes, newest first, a line of JSON each, read while they are sent. */
export async function exportPlugin(app: FastifyInstance, { database, limits, tokenUse }: NoteParts): Promise<void> {
  app.route({
    method: "GET",
    url: "/notes/export",
    // HEAD would read all notes for nothing.
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      const hash = credentialHash(request.headers.authorization);
      await limits.token(hash, request.ip, reply);
      request.credentialHash = hash;
    },
    handler: async (request, reply) => {
      const { credentialHash, id: requestId, ip: address } = request;
      const origin = { requestId, address, channel: "rest" as const };
      const pages = pagesOf(database, { credentialHash, command: commands.list_notes, origin });
      // Before the answer begins, so that a caller without the right gets an error.
      const first = await pages.next();
      if (credentialHash !== null) tokenUse.seen(credentialHash);
      return reply.type("application/x-ndjson").send(Readable.from(lines(first.value ?? [], pages)));
    },
  });
}

/** A note made meanwhile moves the others by one: the last note of a page then comes twice, with the same id. */
async function* pagesOf(database: Database, call: Omit<Call, "arguments">): AsyncGenerator<readonly object[]> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const { body } = await database.list({ ...call, arguments: { limit: AT_ONCE, offset } });
    const { items } = JSON.parse(body ?? "{}") as { readonly items: readonly object[] };
    yield items;
    if (items.length < AT_ONCE) return;
  }
}

async function* lines(first: readonly object[], pages: AsyncGenerator<readonly object[]>): AsyncGenerator<string> {
  for (const note of first) yield `${JSON.stringify(note)}\n`;
  for await (const page of pages) for (const note of page) yield `${JSON.stringify(note)}\n`;
}
