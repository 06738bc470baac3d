// An import may take minutes. The server, which closes silent connections, waits for its answer.
import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestResponse } from "../../support/rest-client.ts";
import { DnsStage, type Zone } from "./dns-stage.ts";
import { tryImport } from "./import-stage.ts";

let stage: DnsStage;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  zone = await (await stage.customer()).zone();
});
afterAll(() => stage.close());

/** The time after which the connection of a request is closed while the request waits for the zone; its answer; and that time after it. */
async function whileWaiting(
  ask: () => Promise<RestResponse>,
): Promise<[waiting: number | undefined, answer: RestResponse, after: number | undefined]> {
  let socket: Socket | undefined;
  const see = (message: unknown) => {
    socket = (message as { readonly socket: Socket }).socket;
  };
  const holder = await stage.selo.database.admin.connect();
  try {
    await holder.query("begin");
    await holder.query("select from dns.zones where id = $1 for update", [zone.body.id]);
    diagnostics.subscribe("http.server.request.start", see);
    const answer = ask();
    await expect
      .poll(() =>
        stage.rows("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
      )
      .toHaveLength(1);
    const timeout = socket?.timeout;
    await holder.query("commit");
    const answered = await answer;
    return [timeout, answered, socket?.timeout];
  } finally {
    diagnostics.unsubscribe("http.server.request.start", see);
    holder.release();
  }
}

/** How long a connection waits for its next request: the server's 72 seconds, and one more of Node's. */
const KEPT_MS = 73_000;

test("the connection of an import is not closed while the import is made, and after the answer it has the time of waiting connections again", async () => {
  const [importing, imported, then] = await whileWaiting(() => tryImport(zone, "www 300 IN A 192.0.2.1"));
  expect([importing, imported.status, then]).toEqual([0, 200, KEPT_MS]);
  const [adding, added, after] = await whileWaiting(() => zone.post({ name: "a", type: "A", content: "192.0.2.2" }));
  expect([adding, added.status, after]).toEqual([0, 201, KEPT_MS]);
});
