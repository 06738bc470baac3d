// Checks of delegations whose worker is killed: nothing is lost, and nobody is mailed twice. Issue "DNS hosting II" §8.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import { DnsWorld, PARENTS } from "../../support/dns-world.ts";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";

const KILLS = byLane({ lane: 1, full: 3 });
/** Zones whose loss is found before each kill. */
const BEFORE_KILL = 4;
const COUNT = 8 * KILLS;

let world: DnsWorld;
let deployment: DnsDeployment;
let admin: pg.Pool;
beforeAll(async () => {
  world = await DnsWorld.start();
  deployment = await DnsDeployment.open({ hasNameserver: false, environment: world.environment });
  admin = new pg.Pool({ connectionString: deployment.urls.adminUrl });
  // Connections end with the Postgres of a killed deployment.
  admin.on("error", () => {});
}, 400_000);
afterAll(async () => {
  await admin?.end();
  await deployment?.close();
  await world?.close();
});

const count = async (text: string, values: unknown[] = []) => Number((await admin.query(text, values)).rows[0]?.count);
const withStatus = (status: string) => count("select count(*) from dns.zones where status = $1", [status]);
/** What a killed worker had claimed would be due in a minute. */
const makeDue = () =>
  admin.query("update dns.zones set due_at = clock_timestamp() - interval '1 second' where status = 'active'");
const runJob = () => admin.query("select graphile_worker.add_job('dns__check_delegations')");
const perZone = async (text: string) =>
  (await admin.query<{ count: string }>(text)).rows.map((row) => Number(row.count));

test("a worker that is killed during checks loses no zone, and each lost delegation is announced once", async () => {
  await admin.query("update platform.organizations set contact_email = 'owner@example.com', plan = 'business'");
  const zones: ZoneBody[] = [];
  for (let number = 0; number < COUNT; number++) {
    const zone = await deployment.zone(`killed-${number}.test`, null);
    world.delegate(zone.name, zone.nameservers);
    expect((await deployment.ask("POST", `/zones/${zone.id}/check-delegation`)).body.status).toBe("active");
    zones.push(zone);
  }
  for (const { name } of zones) world.delegate(name, ["ns1.other.test", "ns2.other.test"]);

  // Nobody answers for the other zones, so that each kill comes between the checks.
  let answered: readonly string[] = [];
  let isHeld = true;
  for (const address of ["127.0.0.1", ...Object.values(PARENTS)])
    world.servers.set(address, (asked) => {
      const isSilent = isHeld && asked.type === "NS" && asked.name !== "test" && !answered.includes(asked.name);
      return isSilent ? null : world.honest(address, asked);
    });
  const lost = async () => {
    // Again each time: a check that began without an answer may end after one that had it.
    await makeDue();
    await runJob();
    return withStatus("pending");
  };
  for (let kills = 1; kills <= KILLS; kills++) {
    answered = zones.slice((kills - 1) * BEFORE_KILL, kills * BEFORE_KILL).map(({ name }) => name);
    await expect.poll(lost).toBe(kills * BEFORE_KILL);
    await deployment.kill();
    expect(await withStatus("active")).toBeGreaterThan(0);
    await deployment.start();
  }
  isHeld = false;
  await expect.poll(lost).toBe(COUNT);

  const ones = Array.from({ length: COUNT }, () => 1);
  expect(
    await perZone(
      "select count(*) from platform.mails where kind = 'zone_delegation_lost' group by data ->> 'zone_id'",
    ),
  ).toEqual(ones);
  expect(
    await perZone(
      "select count(*) from webhooks.events where type = 'zone.delegation_lost' group by body::jsonb #>> '{data,zone_id}'",
    ),
  ).toEqual(ones);
  expect(
    await perZone(
      "select count(*) from platform.audit_events where action = 'zone.delegation_lost' group by subject_id",
    ),
  ).toEqual(ones);
}, 400_000);
