// ALIAS records, as users of the real nameserver see them: issue "DNS hosting II" §4.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asked, DnsWorld, type Says } from "../../support/dns-world.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { SignedTree } from "./signed-tree.ts";

const RESOLVER = "127.0.0.1";

let world: DnsWorld;
let deployment: DnsDeployment;
let admin: pg.Client;
beforeAll(async () => {
  world = await DnsWorld.start();
  deployment = await DnsDeployment.open({ environment: world.environment });
  admin = new pg.Client({ connectionString: deployment.urls.adminUrl });
  await admin.connect();
}, 400_000);
afterAll(async () => {
  await admin?.end();
  await deployment?.close();
  await world?.close();
});

/** The public DNS has other addresses, and the target's TTL is over: the job runs, as it does every minute. */
async function refresh(target: string): Promise<void> {
  await admin.query(
    "update dns.alias_targets set due_at = now() - interval '1 second', checked_at = checked_at - interval '1 minute' where name = $1",
    [target],
  );
  await admin.query("select graphile_worker.add_job('dns__resolve_aliases')");
}

const set = (name: string, type: string, ...contents: string[]) => ({
  name,
  type,
  ttl: 300,
  records: contents.map((content) => ({ content })),
});

test("A and AAAA of an ALIAS at the apex are answered from the first question after the response on", async () => {
  world.addresses.set("host.elsewhere.test", ["203.0.113.1", "2001:db8::1"]);
  const zone = await deployment.zone("apex.test");
  expect(await deployment.dig("apex.test", "A")).toBe("NOERROR");
  await deployment.record(zone, { name: "@", type: "ALIAS", content: "host.elsewhere.test" });
  expect(await deployment.dig("apex.test", "A")).toEqual(["203.0.113.1"]);
  expect(await deployment.dig("apex.test", "AAAA")).toEqual(["2001:db8::1"]);
  const [soa] = (await deployment.question("apex.test", "SOA")).answers;
  const [{ serial }] = (await deployment.ask("GET", `/zones/${zone.id}/changes?limit=1`)).body;
  expect(soa).toMatchObject({ data: { serial: serial + 1 } });
});

test("a target in another zone of the organization is followed within the request that changes it", async () => {
  const [zone, second] = [await deployment.zone("follows.test"), await deployment.zone("leads.test")];
  await deployment.change("PUT", `/zones/${second.id}/records`, { sets: [set("www", "A", "192.0.2.1")] });
  await deployment.record(zone, { name: "@", type: "ALIAS", content: "www.leads.test" });
  for (let turn = 2; turn < 20; turn++) {
    expect(await deployment.dig("follows.test", "A")).toEqual([`192.0.2.${turn - 1}`]);
    await deployment.change("PUT", `/zones/${second.id}/records`, { sets: [set("www", "A", `192.0.2.${turn}`)] });
  }
  await deployment.change("DELETE", `/zones/${second.id}`);
  expect(await deployment.dig("follows.test", "A")).toBe("NOERROR");
});

test("a worker asks again, and the nameserver has the new addresses at once", async () => {
  world.addresses.set("moves.elsewhere.test", ["203.0.113.1"]);
  const zone = await deployment.zone("refresh.test");
  await deployment.record(zone, { name: "*", type: "ALIAS", content: "moves.elsewhere.test" });
  expect(await deployment.dig("any.refresh.test", "A")).toEqual(["203.0.113.1"]);
  world.addresses.set("moves.elsewhere.test", ["203.0.113.2"]);
  await refresh("moves.elsewhere.test");
  await expect.poll(() => deployment.dig("any.refresh.test", "A"), { interval: 50 }).toEqual(["203.0.113.2"]);
});

test("addresses that the public DNS gave are signed: unbound validates those of the request, those that a worker brings, and that none are left", async () => {
  const [name, target] = ["resolved.example", "signed.elsewhere.test"];
  world.addresses.set(target, ["203.0.113.1", "2001:db8::1"]);
  const zone = await deployment.zone(name);
  const { keys } = (await deployment.change("POST", `/zones/${zone.id}/dnssec`)).body;
  const tree = await SignedTree.open({ [name]: deployment.nameserver });
  try {
    await tree.publish(name, keys[0].ds_records);
    await tree.caughtUp();
    const verdict = async (type: "A" | "AAAA") => {
      const { status, isSecure, answers } = await tree.ask(name, type);
      return [status, isSecure, ...answers];
    };
    await deployment.record(zone, { name: "@", type: "ALIAS", content: target, ttl: 60 });
    await tree.caughtUp();
    expect(await verdict("A")).toEqual(["NOERROR", true, "203.0.113.1"]);
    expect(await verdict("AAAA")).toEqual(["NOERROR", true, "2001:db8::1"]);
    world.addresses.set(target, ["203.0.113.2"]);
    await refresh(target);
    await expect.poll(() => verdict("A"), { interval: 100 }).toEqual(["NOERROR", true, "203.0.113.2"]);
    // Without addresses twice in a row.
    await refresh(target);
    await expect.poll(() => verdict("AAAA"), { interval: 100 }).toEqual(["NOERROR", true]);
    expect(await verdict("A")).toEqual(["NOERROR", true, "203.0.113.2"]);
    expect(tree.failures()).toEqual([]);
  } finally {
    await tree.close();
  }
}, 400_000);

test("kill -9 of the worker while it asks for a target: after the next start nothing is lost", async () => {
  world.addresses.set("killed.elsewhere.test", ["203.0.113.1"]);
  const zone = await deployment.zone("killed.test");
  await deployment.record(zone, { name: "@", type: "ALIAS", content: "killed.elsewhere.test" });
  world.addresses.set("killed.elsewhere.test", ["203.0.113.2"]);
  const asked = Promise.withResolvers<void>();
  world.servers.set(RESOLVER, (question: Asked): Says => {
    if (question.name !== "killed.elsewhere.test") return world.honest(RESOLVER, question);
    asked.resolve();
    return null;
  });
  await refresh("killed.elsewhere.test");
  await asked.promise;
  await deployment.kill();
  world.servers.clear();
  await deployment.start();
  // The last answer is served, and what the killed worker had claimed is due a minute later.
  expect(await deployment.dig("killed.test", "A")).toEqual(["203.0.113.1"]);
  await refresh("killed.elsewhere.test");
  await expect.poll(() => deployment.dig("killed.test", "A"), { interval: 50 }).toEqual(["203.0.113.2"]);
  const verified = await admin.query("select fault from dns.audit_check_served(null)");
  expect(verified.rows).toEqual([]);
}, 400_000);
