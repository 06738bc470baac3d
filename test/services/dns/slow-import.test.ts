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

/** The time after which the connection of a request is closed, while the request waits for the zone; then its answer. */
async function whileWaiting(ask: () => Promise<RestResponse>): Promise<[number | undefined, RestResponse]> {
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
      .poll(
        () =>
          stage.rows("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
        {
          timeout: 10_000,
        },
      )
      .toHaveLength(1);
    const timeout = socket?.timeout;
    await holder.query("commit");
    return [timeout, await answer];
  } finally {
    diagnostics.unsubscribe("http.server.request.start", see);
    holder.release();
  }
}

test("the connection of an import is not closed while the import is made, and the next request has the usual time", async () => {
  const [importing, imported] = await whileWaiting(() => tryImport(zone, "www 300 IN A 192.0.2.1"));
  expect([importing, imported.status]).toEqual([0, 200]);
  const [adding, added] = await whileWaiting(() => zone.post({ name: "a", type: "A", content: "192.0.2.2" }));
  expect([adding, added.status]).toEqual([30_000, 201]);
});
