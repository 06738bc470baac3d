// The master key is replaced while zones are signed and a validating resolver is asked all the time: issue "DNS hosting II" §8.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnssecBody } from "../../services/dns/dnssec-stage.ts";
import { command, commandJson } from "../../support/command.ts";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { CONTROL_KEY, NameserverApart } from "./nameserver-apart.ts";
import { Asker, addRecords, PROBES, plainZone, wrongAnswer } from "./probes.ts";
import { SignedTree } from "./signed-tree.ts";

const SIGNED = "kept.example";
const LATER = "later.example";
const PER_SECOND = byLane({ lane: 25, full: 100 });

let nameserver: NameserverApart;
let deployment: DnsDeployment;
let tree: SignedTree;
let signed: ZoneBody;
let later: ZoneBody;
beforeAll(async () => {
  // Its own process, which goes on while the gateway starts anew with other keys.
  nameserver = await NameserverApart.prepare();
  deployment = await DnsDeployment.open({
    hasNameserver: false,
    environment: {
      NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${nameserver.controlPort}`,
      NAMESERVER_CONTROL_KEY: CONTROL_KEY,
    },
  });
  await nameserver.start(deployment);
  [signed, later] = [await deployment.zone(SIGNED), await deployment.zone(LATER)];
  await addRecords(deployment, signed);
  await addRecords(deployment, later);
  const server = { host: "127.0.0.1", port: nameserver.port };
  tree = await SignedTree.open({ [SIGNED]: server, [LATER]: server }, { ...plainZone(SIGNED), ...plainZone(LATER) });
}, 400_000);
afterAll(async () => {
  await tree?.close();
  await deployment?.close();
  nameserver?.remove();
}, 400_000);

const dnssec = async ({ id }: ZoneBody, method: string, more = ""): Promise<DnssecBody> =>
  (await deployment.change(method, `/zones/${id}/dnssec${more}`)).body;
const publish = async (zone: ZoneBody, { keys }: DnssecBody) => {
  await tree.publish(
    zone.name,
    keys.flatMap(({ ds_records }) => ds_records),
  );
  await tree.caughtUp();
};
const wrongOf = async ({ name }: ZoneBody) =>
  (await Promise.all(PROBES.map((probe) => wrongAnswer(tree, probe, name, true)))).filter((wrong) => wrong !== null);
const keyFile = () => path.join(deployment.folder, "master-key");
/** The gateway starts anew with these master keys: the first encrypts, the others only decrypt. */
async function startWith(...keys: readonly string[]): Promise<void> {
  await deployment.kill();
  fs.writeFileSync(keyFile(), `${keys.join("\n")}\n`, { mode: 0o600 });
  await deployment.start();
}
const served = () =>
  deployment.database("select id, domain_id, content, active, published from pdns.cryptokeys order by id");

test(`the master key is replaced while signed zones are asked ${PER_SECOND} times a second: no answer is refused, and zones are signed with the new one`, async () => {
  const old = fs.readFileSync(keyFile(), "utf8").trim();
  const fresh = randomBytes(32).toString("hex");
  await dnssec(signed, "POST");
  await publish(signed, await dnssec(signed, "POST", "/rotate"));
  expect(await wrongOf(signed)).toEqual([]);
  const asker = new Asker(tree, SIGNED, PER_SECOND);

  // The steps of the guide to operating.
  await startWith(old, fresh);
  await startWith(fresh, old);
  const { reencrypted, left } = await commandJson<{
    readonly reencrypted: readonly { readonly column: string; readonly count: number }[];
    readonly left: readonly object[];
  }>(["keys", "reencrypt"], deployment.environment);
  expect(left).toEqual([]);
  expect(reencrypted).toContainEqual({ column: "dns.dnssec_keys.sealed_private_key", count: 2 });
  await startWith(fresh);

  // Another zone gets its keys under the new master key, and the first one loses its old key.
  const { keys } = (await deployment.ask("GET", `/zones/${signed.id}/dnssec`)).body as DnssecBody;
  await tree.publish(SIGNED, keys[1]?.ds_records ?? []);
  await dnssec(later, "POST");
  await publish(later, await dnssec(later, "POST", "/rotate"));
  expect(await wrongOf(later)).toEqual([]);
  await dnssec(signed, "DELETE", `/keys/${keys[0]?.key_id}`);
  await tree.caughtUp();
  expect(await wrongOf(signed)).toEqual([]);

  const { asked, perSecond, wrong } = await asker.stop();
  console.log(`asked ${asked} questions, ${perSecond.toFixed(1)} a second`);
  expect(wrong).toEqual([]);
  expect(perSecond).toBeGreaterThan(PER_SECOND * 0.95);
  expect(asked).toBeGreaterThan(PER_SECOND * 5);
  expect(tree.failures()).toEqual([]);
  expect(
    (await commandJson<{ faults: readonly object[] }>(["audit", "verify"], deployment.environment)).faults,
  ).toEqual([]);

  // What the nameservers read is made again with the new master key alone.
  const before = await served();
  expect(before).toHaveLength(3);
  await deployment.database("delete from pdns.cryptokeys");
  const withOld = await command(["nameserver", "rebuild"], { ...deployment.environment, SELO_MASTER_KEY: old });
  expect({ code: withOld.code, said: `${withOld.stdout}${withOld.stderr}` }).toEqual({
    code: 1,
    said: expect.stringContaining(`${SIGNED} is served without its key`),
  });
  expect(await served()).toEqual([]);
  expect((await command(["nameserver", "rebuild"], deployment.environment)).code).toBe(0);
  expect(await served()).toEqual(before);
  // Nothing is left of what the nameserver knew.
  await nameserver.kill();
  await nameserver.start(deployment);
  await tree.caughtUp();
  for (const zone of [signed, later]) expect(await wrongOf(zone)).toEqual([]);
}, 400_000);
