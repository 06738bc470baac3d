// kill -9 of the gateway between the two calls of an operation that prepares, acts and records.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";
import { brotli } from "../../surfaces/sample-service/compress.ts";
import { withCompress } from "../../surfaces/sample-service/with-compress.ts";
import { type Deployment, deploy } from "./deployment.ts";

/** The server that compresses: says when it is asked, and answers when it is told to. */
const asked: { readonly words: string; readonly response: http.ServerResponse }[] = [];
let isSlow = false;
const answerTo = ({ words, response }: (typeof asked)[number]) => response.end(brotliCompressSync(words));
const compressor = http.createServer(async (request, response) => {
  const one = { words: await text(request), response };
  asked.push(one);
  if (!isSlow) answerTo(one);
});

let deployment: Deployment;
let organization: TestOrganization;
beforeAll(async () => {
  compressor.listen(0, "127.0.0.1");
  await once(compressor, "listening");
  const { port } = compressor.address() as AddressInfo;
  deployment = await deploy({
    added: {
      services: withCompress(brotli),
      program: "test/system/faults/notes-cli.ts",
      environment: { COMPRESSOR_URL: `http://127.0.0.1:${port}` },
    },
  });
  organization = await deployment.newOrganization();
}, 120_000);
afterAll(async () => {
  compressor.close();
  compressor.closeAllConnections();
  await deployment?.stop();
});

const ask = (method: string, path: string, request: Parameters<typeof call>[3] = {}) =>
  call(deployment, method, path, { token: organization.live, ...request });

/** Asks to archive a note; answers the status and whether it is an earlier answer. */
const surfaces = {
  REST: async (id: string, key: string) => {
    const { status, headers } = await ask("POST", `/notes/${id}/archive`, { key });
    return { status, replayed: headers.get("idempotent-replayed") };
  },
  GraphQL: async (id: string, key: string) => {
    const mutation = `mutation { archiveNote(input: {id: "${id}"}) { note { id } } }`;
    const answer = await graphql(deployment, organization.live, mutation, undefined, { "idempotency-key": key });
    expect(answer.errors).toEqual([]);
    return { status: answer.status, replayed: answer.headers.get("idempotent-replayed") };
  },
};

/** What is recorded of a note: the events of its file, and whether it has one; and the keys of the organization. */
async function recorded(id: string) {
  const { rows } = await deployment.admin.query(
    `select
       (select count(*)::integer from platform.audit_events where subject_id = $1 and action = 'note.file_attached') as events,
       (select count(*)::integer from notes.notes where id = $1 and file is not null) as files,
       (select count(*)::integer from platform.idempotency_keys where tenant_id = $2) as keys`,
    [id, organization.id],
  );
  return rows[0];
}

test.each(Object.entries(surfaces))(
  "kill -9 while the act of %s is under way: a retry with its key records it once, with one event",
  async (surface, archive) => {
    const gateway = await deployment.runningGateway();
    const { id } = (await ask("POST", "/notes", { body: { text: `by ${surface}` } })).body;
    const { keys } = await recorded(id);
    const before = asked.length;
    const key = `killed-${surface}`;

    isSlow = true;
    const broken = archive(id, key).catch((error: Error) => error.message);
    await expect.poll(() => asked.length, { timeout: 30_000, interval: 5 }).toBe(before + 1);
    gateway.child.kill("SIGKILL");
    expect((await gateway.finished).signal).toBe("SIGKILL");
    expect(await broken).toBe("fetch failed");
    // The first half left nothing behind: neither the file nor the key.
    expect(await recorded(id)).toEqual({ events: 0, files: 0, keys });

    isSlow = false;
    await deployment.runningGateway();
    expect(await archive(id, key)).toEqual({ status: 200, replayed: null });
    expect(asked.slice(before).map(({ words }) => words)).toEqual([`by ${surface}`, `by ${surface}`]);
    expect(await recorded(id)).toEqual({ events: 1, files: 1, keys: keys + 1 });
    const { bytes } = await ask("GET", `/notes/${id}/file`);
    expect(brotliDecompressSync(bytes).toString("utf8")).toBe(`by ${surface}`);

    // From now on the answer is known, and nobody is asked.
    expect(await archive(id, key)).toEqual({ status: 200, replayed: "true" });
    expect(asked.length).toBe(before + 2);
    expect(await recorded(id)).toEqual({ events: 1, files: 1, keys: keys + 1 });
    expect((await deployment.verifyAudit()).faults).toEqual([]);
  },
  120_000,
);
