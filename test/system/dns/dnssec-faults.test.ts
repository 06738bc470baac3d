// Keys while the nameserver is asked, while programs are killed, and after a restore: issue "DNS hosting II" §3, §8.
import { createSocket } from "node:dgram";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { encode, type RecordType } from "dns-packet";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnssecBody } from "../../services/dns/dnssec-stage.ts";
import { command, commandJson } from "../../support/command.ts";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { addRecords, PROBES, plainZone, wrongAnswer } from "./probes.ts";
import { dig, SignedTree } from "./signed-tree.ts";

/** Enables and disables. */
const CHANGES = byLane({ lane: 20, full: 100 });
const PER_SECOND = 400;

let deployment: DnsDeployment;
beforeAll(async () => {
  deployment = await DnsDeployment.open();
}, 400_000);
afterAll(() => deployment?.close(), 60_000);

const dnssec = async (zone: ZoneBody, method: string, more = "", body?: object): Promise<DnssecBody> =>
  (await deployment.change(method, `/zones/${zone.id}/dnssec${more}`, body)).body;
const faults = async () =>
  (await commandJson<{ faults: readonly object[] }>(["audit", "verify"], deployment.environment)).faults;

/** Asks a nameserver for signatures all the time, and reads no answer. */
function askAlways(
  { port }: { readonly port: number },
  questions: readonly (readonly [string, RecordType])[],
): () => number {
  const socket = createSocket("udp4");
  let asked = 0;
  const packets = questions.map(([name, type], id) =>
    encode({
      type: "query",
      id,
      questions: [{ name, type }],
      additionals: [
        {
          type: "OPT",
          name: ".",
          udpPayloadSize: 1_232,
          extendedRcode: 0,
          ednsVersion: 0,
          flags: 0x8000,
          flag_do: true,
          options: [],
        },
      ],
    }),
  );
  const timer = setInterval(() => {
    for (let each = 0; each < PER_SECOND / 100; each++)
      socket.send(packets[asked++ % packets.length] ?? "", port, "127.0.0.1");
  }, 10);
  return () => {
    clearInterval(timer);
    socket.close();
    return asked;
  };
}

test(`0 of ${CHANGES} enables and disables are stale at the first question after the answer, while the zone is asked`, async () => {
  const zone = await deployment.zone("toggled.test");
  await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
  const stop = askAlways(deployment.nameserver, [
    ["toggled.test", "DNSKEY"],
    ["www.toggled.test", "A"],
    ["nothing.toggled.test", "A"],
    ["toggled.test", "SOA"],
  ]);
  const stale: string[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const isOn = change % 2 === 0;
    const { keys } = isOn ? await dnssec(zone, "POST") : await dnssec(zone, "DELETE", "", { confirm: true });
    const [dnskeys, address, denial] = await Promise.all([
      dig(deployment.nameserver, "toggled.test", "DNSKEY"),
      dig(deployment.nameserver, "www.toggled.test", "A", "+dnssec"),
      dig(deployment.nameserver, "nothing.toggled.test", "A", "+noshort", "+noall", "+authority", "+dnssec"),
    ]);
    const shown = {
      dnskeys: [...dnskeys],
      signatures: address.filter((line) => line.startsWith("A 13 ")).length,
      denials: denial.some((line) => /\sIN\s+NSEC3\s/.test(line)),
    };
    const expected = { dnskeys: keys.map(({ dnskey }) => dnskey), signatures: isOn ? 1 : 0, denials: isOn };
    if (JSON.stringify(shown) !== JSON.stringify(expected)) stale.push(`${change}: ${JSON.stringify(shown)}`);
  }
  const asked = stop();
  console.log(`asked ${asked} questions meanwhile`);
  expect(stale).toEqual([]);
  expect(asked).toBeGreaterThan(CHANGES * 10);
}, 400_000);

test("kill -9 between key made and recorded: the zone is not signed, and is signed by the next request", async () => {
  const zone = await deployment.zone("unrecorded.test");
  const holder = new pg.Client({ connectionString: deployment.urls.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from dns.zones where id = $1 for update", [zone.id]);
    const lost = deployment.ask("POST", `/zones/${zone.id}/dnssec`).then(
      ({ status }) => status,
      () => "no answer",
    );
    // The key is made when the statement that records it waits for the zone.
    const waits = "select pid from pg_stat_activity where wait_event_type = 'Lock' and pid <> pg_backend_pid()";
    await expect.poll(async () => (await holder.query(waits)).rowCount, { interval: 20 }).toBe(1);
    await deployment.kill();
    expect(await lost).toBe("no answer");
    // Postgres would finish the statement: the machine of the gateway is gone with it.
    await holder.query(`select pg_terminate_backend(pid) from (${waits}) as waiting`);
    await holder.query("commit");
  } finally {
    await holder.end();
  }
  await deployment.start();
  const path = `/zones/${zone.id}/dnssec`;
  expect((await deployment.ask("GET", path)).body).toEqual({
    enabled: false,
    keys: [],
    chain: "unsigned",
    warnings: [],
  });
  expect(await dig(deployment.nameserver, "unrecorded.test", "DNSKEY")).toEqual([]);
  expect(await faults()).toEqual([]);
  const { keys } = await dnssec(zone, "POST");
  expect(await dig(deployment.nameserver, "unrecorded.test", "DNSKEY")).toEqual(keys.map(({ dnskey }) => dnskey));
  expect(await faults()).toEqual([]);
}, 400_000);

test("a signed zone is restored from a backup: it has its keys, and validates under the DS record from before", async () => {
  const NAME = "restored.example";
  const zone = await deployment.zone(NAME);
  await addRecords(deployment, zone);
  await dnssec(zone, "POST");
  const { keys } = await dnssec(zone, "POST", "/rotate");
  const file = path.join(deployment.folder, "..", "signed.backup");
  await commandJson(["backup", file], deployment.environment);
  // The whole backup, with what it has of the zone.
  const content = gunzipSync(fs.readFileSync(file)).toString("latin1");
  expect(content).toContain(NAME);
  expect(content).toContain("dnssec_keys");
  expect(content).not.toContain("Private-key-format");

  const restored = await DnsDeployment.open({
    prepare: async (environment) => {
      const folder = environment["SELO_DATA_DIR"] ?? "";
      fs.mkdirSync(folder, { recursive: true });
      fs.copyFileSync(path.join(deployment.folder, "master-key"), path.join(folder, "master-key"));
      const { code, stdout, stderr } = await command(["restore", file], environment);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr });
    },
  });
  let tree: SignedTree | null = null;
  try {
    expect(await dig(restored.nameserver, NAME, "DNSKEY")).toEqual(keys.map(({ dnskey }) => dnskey).toSorted());
    tree = await SignedTree.open({ [NAME]: restored.nameserver }, plainZone(NAME));
    for (const { ds_records } of keys) {
      await tree.publish(NAME, ds_records);
      await tree.caughtUp();
      for (const probe of PROBES) expect(await wrongAnswer(tree, probe, NAME, true)).toBeNull();
    }
  } finally {
    await tree?.close();
    await restored.close();
  }
}, 400_000);
