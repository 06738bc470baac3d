// What a change of a zone leaves behind for others: webhooks, the audit trail, jobs. Issue "DNS hosting I" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";

const SECRET = "a-content-that-stays-here";

let stage: DnsStage;
beforeAll(async () => {
  stage = await DnsStage.open();
});
afterAll(() => stage?.close());

/** The events of an organization for webhooks, the oldest first. */
const eventsOf = async ({ organization }: Customer) =>
  (
    await stage.rows<{ body: string; environment: string }>(
      "select environment, body from webhooks.events where tenant_id = $1 order by id",
      [organization.id],
    )
  ).map(({ body, environment }) => {
    const { type, data, resource_id } = JSON.parse(body);
    return { environment, type, data, resource_id };
  });

/** The audit events of zones of an organization, the oldest first. */
const trailOf = ({ organization }: Customer) =>
  stage.rows<{
    action: string;
    subject_id: string;
    seq: string;
    details: string;
    personal: unknown;
    actor_type: string;
  }>(
    `select action, subject_id, seq, details, personal, actor_type from platform.audit_events
     where tenant_id = $1 and subject_type = 'zone' order by id`,
    [organization.id],
  );

/** A zone that was made, changed in four ways, and deleted. */
async function lived(customer: Customer): Promise<Zone> {
  const zone = await customer.zone();
  const { id } = await zone.add({ name: "www", type: "TXT", content: SECRET, comment: SECRET });
  await zone.add({ name: "www", type: "TXT", content: `${SECRET}-too`, ttl: 60 });
  await zone.ask("PUT", `/records/${id}`, { disabled: true });
  await zone.put([{ name: "www", type: "TXT", records: [] }]);
  await zone.ask("DELETE");
  return zone;
}

describe("webhooks", () => {
  test("zone.created, zone.records_changed and zone.deleted, with their data", async () => {
    const customer = await stage.customer();
    const zone = await customer.zone();
    const serial = await zone.serial();
    const { id } = await zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    await zone.add({ name: "www", type: "A", content: "192.0.2.2", ttl: 60 });
    await zone.ask("PUT", `/records/${id}`, { disabled: true });
    await zone.put([{ name: "www", type: "A", records: [] }]);
    await zone.ask("DELETE");
    const [known] = await stage.rows<{ id: string }>("select id from dns.deleted_zones where name = $1", [zone.name]);
    const data = { zone_id: zone.body.id, name: zone.name, status: "pending" };
    const changed = (by: number, created: number, updated: number, deleted: number) => ({
      type: "zone.records_changed",
      data: { ...data, serial: serial + by, created, updated, deleted },
    });
    expect(await eventsOf(customer)).toEqual(
      [
        { type: "zone.created", data },
        changed(1, 1, 0, 0),
        // The first record took the TTL of the second.
        changed(2, 1, 1, 0),
        changed(3, 0, 1, 0),
        changed(4, 0, 0, 2),
        { type: "zone.deleted", data },
      ].map((event) => ({ environment: "live", resource_id: known?.id, ...event })),
    );
  });

  test("of DNSSEC say which key it is about, and have no key", async () => {
    const customer = await stage.customer();
    const zone = await customer.zone();
    const first = (await zone.ask("POST", "/dnssec")).body.keys[0].key_id;
    const second = (await zone.ask("POST", "/dnssec/rotate")).body.keys[1].key_id;
    await zone.ask("DELETE", `/dnssec/keys/${first}`);
    await zone.ask("DELETE", "/dnssec", { confirm: true });
    // What is refused tells nobody.
    expect((await zone.ask("POST", "/dnssec/rotate")).status).toBe(409);
    const data = { zone_id: zone.body.id, name: zone.name, status: "pending" };
    const events = await eventsOf(customer);
    expect(events.slice(1)).toMatchObject([
      { type: "zone.dnssec_enabled", data: { ...data, key_id: first } },
      { type: "zone.dnssec_rotated", data: { ...data, key_id: second } },
      { type: "zone.dnssec_key_deleted", data: { ...data, key_id: first } },
      { type: "zone.dnssec_disabled", data },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/257 3 13|PrivateKey/);
    const trail = await trailOf(customer);
    expect(trail.map(({ action, actor_type }) => [action, actor_type]).slice(1)).toEqual(
      ["enabled", "rotated", "key_deleted", "disabled"].map((what) => [`zone.dnssec_${what}`, "api_key"]),
    );
    for (const { details } of trail)
      expect(JSON.parse(details)).toMatchObject({ record_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("are queued for an endpoint of the live environment that asked for zone.*", async () => {
    const customer = await stage.customer();
    const { body } = await call(stage.selo, "POST", "/webhooks", {
      token: customer.organization.live,
      body: { url: "https://example.com/hook", event_types: ["zone.*"] },
    });
    await lived(customer);
    const queued = await stage.rows<{ event_type: string }>(
      "select event_type from webhooks.deliveries where endpoint_id = $1 order by event_id",
      [body.id],
    );
    expect(queued.map(({ event_type }) => event_type)).toEqual([
      "zone.created",
      ...Array(4).fill("zone.records_changed"),
      "zone.deleted",
    ]);
  });

  test("hold no contents", async () => {
    const customer = await stage.customer();
    await lived(customer);
    expect(JSON.stringify(await eventsOf(customer))).not.toContain(SECRET);
  });

  test("are not sent for what changed nothing or was refused", async () => {
    const customer = await stage.customer();
    const zone = await customer.zone();
    const { id } = await zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    const before = await eventsOf(customer);
    expect((await zone.ask("PUT", `/records/${id}`, {})).status).toBe(200);
    expect((await zone.post({ name: "www", type: "A", content: "192.0.2.1" })).status).toBe(422);
    expect((await customer.ask("POST", "/zones", { name: zone.name })).status).toBe(409);
    expect(await eventsOf(customer)).toEqual(before);
  });
});

describe("the audit trail", () => {
  test("has a chain of the zone with serials, counts and digests, by the key", async () => {
    const customer = await stage.customer();
    await lived(customer);
    const trail = await trailOf(customer);
    expect(trail.map(({ action, seq, actor_type }) => [action, Number(seq), actor_type])).toEqual(
      ["created", ...Array(4).fill("records_changed"), "deleted"].map((action, place) => [
        `zone.${action}`,
        place + 1,
        "api_key",
      ]),
    );
    expect(new Set(trail.map(({ subject_id }) => subject_id)).size).toBe(1);
    const details = trail.map((event) => JSON.parse(event.details));
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(details[0]).toMatchObject({ zone_id: expect.any(Number), name: expect.any(String), record_sha256: digest });
    expect(details.slice(1, 5)).toEqual(
      [
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 2],
      ].map(([created, updated, deleted]) => ({
        serial: expect.any(Number),
        created,
        updated,
        deleted,
        change_sha256: digest,
        record_sha256: digest,
      })),
    );
    expect(details[5]).toEqual({ records: 0, kept_sha256: digest });
  });

  test("holds no contents and no comments", async () => {
    const customer = await stage.customer();
    await lived(customer);
    const trail = await trailOf(customer);
    expect(trail).toHaveLength(6);
    expect(JSON.stringify(trail)).not.toContain(SECRET);
  });

  test("tells an auditor with the salt which change it was", async () => {
    const customer = await stage.customer();
    const zone = await customer.zone();
    await zone.add({ name: "www", type: "TXT", content: SECRET });
    const [event] = (await trailOf(customer)).filter(({ action }) => action === "zone.records_changed");
    const [kept] = await stage.rows<{ digest: string }>(
      `select dns.change_digest(zone.record_salt, change) as digest
       from dns.changes as change join dns.zones as zone on zone.id = change.zone_id where zone.id = $1`,
      [zone.body.id],
    );
    expect(JSON.parse(event?.details ?? "{}").change_sha256).toBe(kept?.digest);
  });
});

test("a change has a job that flushes the zone once more", async () => {
  const zone = await (await stage.customer()).zone();
  const [job] = await stage.rows<{ key: string }>(
    "select key from graphile_worker.jobs where task_identifier = 'dns__flush_zone' and key like '%' || $1",
    [zone.name],
  );
  expect(job?.key).toBe(`dns__flush_zone ${zone.name}`);
});

test("what a deleted zone had is kept for the operator", async () => {
  const customer = await stage.customer();
  const zone = await customer.zone();
  const record = await zone.add({ name: "www", type: "A", content: "192.0.2.1", disabled: true, comment: "ours" });
  const serial = await zone.serial();
  await zone.ask("DELETE");
  const [kept] = await stage.rows("select nameservers, serial, records from dns.deleted_zones where name = $1", [
    zone.name,
  ]);
  expect(kept).toEqual({ nameservers: zone.body.nameservers, serial: String(serial), records: [record] });
});
