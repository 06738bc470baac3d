// Records through GraphQL: the same commands, limits and codes as in REST.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";

const RECORD = "id zoneId name type content ttl priority disabled comment";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "growth" });
  zone = await customer.zone();
});
afterAll(() => stage?.close());

/** Runs a command on the zone: what it answered, or the code of its error with the members that it names. */
async function run(field: string, type: string, input: object, selection: string) {
  const { data, errors } = await customer.graphql(
    `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
    { input: { zoneId: String(zone.body.id), ...input } },
  );
  const [error] = errors;
  if (error === undefined) return data?.[field];
  const { code, fields = [] } = error.extensions;
  return [code, ...fields.map((each) => each.field)];
}
const create = (record: object) => run("createDnsRecord", "CreateDnsRecordInput", record, `record { ${RECORD} }`);
const update = (recordId: number, members: object) =>
  run("updateDnsRecord", "UpdateDnsRecordInput", { recordId: String(recordId), ...members }, `record { ${RECORD} }`);
const remove = (recordId: unknown) => run("deleteDnsRecord", "DeleteDnsRecordInput", { recordId }, "recordId");

test("createDnsRecord makes the record that REST shows", async () => {
  const made = await create({ name: "Graph", type: "mx", content: "Mail.example.com.", priority: 5, comment: "ours" });
  const [record] = await zone.records("?name=graph");
  const { zone_id: zoneId, created_at: _, ...others } = record ?? { zone_id: 0, created_at: "" };
  expect(record).toMatchObject({ type: "MX", content: "mail.example.com", priority: 5, ttl: 3600, comment: "ours" });
  expect(made).toEqual({ record: { ...others, id: String(record?.id), zoneId: String(zoneId) } });
});

test.each([
  [{ name: "w", type: "A", content: "::1" }, ["record_invalid", "content"]],
  [{ name: "a b", type: "A", content: "192.0.2.1" }, ["record_invalid", "name"]],
  [{ name: "w", type: "SOA", content: "192.0.2.1" }, ["record_invalid", "type"]],
  [{ name: "w", type: "A", content: "192.0.2.1", ttl: 59 }, ["record_invalid", "ttl"]],
  [{ name: "w", type: "MX", content: "a.b" }, ["record_invalid", "priority"]],
  [{ name: "@", type: "CNAME", content: "a.b" }, ["record_conflict"]],
  [{ name: "w", type: "A", content: "192.0.2.1", zoneId: "abc" }, ["not_found"]],
])("createDnsRecord of %j is refused: %j", async (record, refusal) => {
  expect(await create(record)).toEqual(refusal);
});

test("createDnsRecord of a record that exists is refused", async () => {
  const record = { name: "twice", type: "A", content: "192.0.2.1" };
  await create(record);
  expect(await create(record)).toEqual(["record_exists"]);
});

test("updateDnsRecord changes the given members alone", async () => {
  const record = await zone.add({ name: "update", type: "MX", content: "a.b", priority: 5, comment: "ours" });
  const { zone_id: zoneId, created_at: _, ...others } = record;
  const same = { ...others, id: String(record.id), zoneId: String(zoneId) };
  const serial = await zone.serial();
  expect(await update(record.id, {})).toEqual({ record: same });
  expect(await update(record.id, { name: "update", type: "mx" })).toEqual({ record: same });
  expect(await zone.serial()).toBe(serial);
  expect(await update(record.id, { ttl: 60, disabled: true })).toEqual({
    record: { ...same, ttl: 60, disabled: true },
  });
  expect(await update(record.id, { comment: null })).toMatchObject({ record: { comment: null } });
  expect(await update(record.id, { priority: null })).toEqual(["record_invalid", "priority"]);
  expect(await update(record.id, { name: "other" })).toEqual(["record_invalid", "name"]);
  expect(await update(record.id, { type: "A" })).toEqual(["record_invalid", "type"]);
  expect(await update(0, { ttl: 60 })).toEqual(["not_found"]);
});

test("deleteDnsRecord deletes", async () => {
  const { id } = await zone.add({ name: "delete", type: "A", content: "192.0.2.1" });
  expect(await remove(String(id))).toEqual({ recordId: String(id) });
  expect(await remove(String(id))).toEqual(["not_found"]);
  expect(await remove("abc")).toEqual(["not_found"]);
  expect(await zone.records("?name=delete")).toEqual([]);
});

test("replaceDnsRecords names the wrong member", async () => {
  const sets = [{ name: "w", type: "A", records: [{ content: "192.0.2.1" }, { content: "x" }] }];
  const replace = (input: object) => run("replaceDnsRecords", "ReplaceDnsRecordsInput", input, "created dryRun");
  expect(await replace({ sets })).toEqual(["record_invalid", "sets.0.records.1.content"]);
  expect(await replace({ sets: [{ ...sets[0], records: [{ content: "192.0.2.1" }] }], dryRun: true })).toEqual({
    created: 1,
    dryRun: true,
  });
  expect(await zone.records("?name=w")).toEqual([]);
});

test("another organization finds neither zone nor record", async () => {
  const record = await zone.add({ name: "own", type: "A", content: "192.0.2.1" });
  const stranger = await stage.customer();
  const { data } = await stranger.graphql(
    `{ dnsZone(id: ${zone.body.id}) { id } dnsZones { nodes { id } } dnsRecords { nodes { id } } }`,
  );
  expect(data).toEqual({ dnsZone: null, dnsZones: { nodes: [] }, dnsRecords: { nodes: [] } });
  const { errors } = await stranger.graphql(
    `mutation { deleteDnsRecord(input: {zoneId: "${zone.body.id}", recordId: "${record.id}"}) { recordId } }`,
  );
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(["not_found"]);
  expect(await zone.records("?name=own")).toEqual([record]);
});
