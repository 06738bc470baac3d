import { randomBytes } from "node:crypto";
import { issueKey } from "../../../src/services/dns/store.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";

const ZONES = "/orgs/{org_id}/zones";
const ZONE = "id name status nameservers";
const RECORD = "id name type content comment";

/** What the owner has at a question. */
interface Made {
  /** A key of the zone. */
  readonly key: string;
  readonly zone: string;
  readonly record: string;
  /** Stands in the name of the zone, and nowhere else. */
  readonly name: string;
}

let ownerKey = "";
/** A zone of the stranger's. */
let strangersZone: string;
/** The owner's zone at a question of GraphQL. */
let made: Made;
/** A key of the owner's that may be revoked. */
let spare: { readonly id: number; readonly name: string };
let spares = 0;

const newName = () => `${randomBytes(8).toString("hex")}.example`;

/** @param keys with how many it is signed */
async function makeZone(
  { selo }: Stage,
  { number }: TestOrganization,
  key: string,
  comment: string,
  keys = 1,
): Promise<Made> {
  const ask = async (
    path: string,
    body: object,
    status = 201,
  ): Promise<{ readonly id: number; readonly keys?: readonly { readonly key_id: number }[] }> => {
    const request = { prefix: "/v1", token: key, body };
    const answer = await call(selo, "POST", `/orgs/${number}/zones${path}`, request);
    if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const name = newName();
  const { id } = await ask("", { name });
  const record = await ask(`/${id}/records`, { name: "www", type: "A", content: "192.0.2.1", comment });
  await ask(`/${id}/records`, { name: "alias", type: "ALIAS", content: `www.${name}`, comment });
  const signed = keys > 0 ? await ask(`/${id}/dnssec`, {}) : null;
  if (keys > 1) await ask(`/${id}/dnssec/rotate`, {}, 200);
  return { zone: String(id), record: String(record.id), key: String(signed?.keys?.[0]?.key_id), name };
}

const ownersZone = (stage: Stage, keys = 1) => makeZone(stage, stage.owner, ownerKey, stage.marker, keys);

/** A question about a zone of the owner's, made for it. */
const ofZone =
  (more: string, shows: (of: Made & Pick<Stage, "marker">) => readonly string[], body?: object, keys = 1) =>
  async (stage: Stage): Promise<Asked> => {
    const of = await ownersZone(stage, keys);
    const path = more.replace("{record_id}", of.record).replace("{key_id}", of.key);
    return {
      path: `${ZONES}/${of.zone}${path}`,
      shows: shows({ ...of, marker: stage.marker }),
      ...(body ? { body } : {}),
      // The record or key of another's zone, below a zone of one's own.
      ...(path === more ? {} : { othersPaths: [`${ZONES}/${strangersZone}${path}`] }),
    };
  };

const asks =
  (document: () => string): RootField["ask"] =>
  ({ selo }, token) =>
    graphql(selo, token, document());
const marked = ({ marker }: Stage) => [marker];
const named = () => [made.name];
const signs = () => [`"keyId":"${made.key}"`];
const field = (
  scope: string,
  document: () => string,
  shows: RootField["shows"],
  more: Partial<RootField> = {},
): RootField => ({ scope, ask: asks(document), shows, ...(more.isOfPeople ? {} : { isOfKeys: true }), ...more });
const ofPeople = { isOfPeople: true, isOfLive: true } as const;
const ofOne = { isOfOne: true } as const;
const OTHER = `name: "other", type: "A", content: "192.0.2.2"`;

const KEY = "id zoneId keyTag dnskey dsRecords";
const DNSSEC = "enabled chain keys { keyId dnskey dsRecords } warnings { code }";

const FILE = "imported 3600 IN A 192.0.2.3";

export const isolation: ServiceIsolation = {
  async prepare(stage) {
    const { selo, owner, stranger } = stage;
    ownerKey = (await issueKey(selo.operator, owner.id, "owner")).secret;
    const strangerKey = (await issueKey(selo.operator, stranger.id, "stranger")).secret;
    strangersZone = (await makeZone(stage, stranger, strangerKey, "theirs")).zone;
    return [ownerKey];
  },
  key: async ({ selo }, { id }, scopes) => (await issueKey(selo.operator, id, "matrix", scopes)).secret,
  rest: {},
  keyed: {
    "GET /v1/me": ({ owner }) => ({ path: "/me", shows: [`"org_id":${owner.number},`] }),
    "GET /v1/orgs/{org_id}/zones": async (stage) => ({ path: ZONES, shows: [(await ownersZone(stage)).name] }),
    "POST /v1/orgs/{org_id}/zones": () => {
      const name = newName();
      return { path: ZONES, body: { name }, shows: [name] };
    },
    "GET /v1/orgs/{org_id}/zones/{zone_id}": ofZone("", ({ name }) => [name]),
    "DELETE /v1/orgs/{org_id}/zones/{zone_id}": ofZone("", () => []),
    "GET /v1/orgs/{org_id}/zones/{zone_id}/setup": ofZone("/setup", () => ['"instructions":']),
    "POST /v1/orgs/{org_id}/zones/{zone_id}/check-delegation": ofZone("/check-delegation", ({ name }) => [name]),
    "GET /v1/orgs/{org_id}/zones/{zone_id}/records": ofZone("/records", ({ marker }) => [marker]),
    "POST /v1/orgs/{org_id}/zones/{zone_id}/records": ofZone("/records", ({ zone }) => [`"zone_id":${zone},`], {
      name: "other",
      type: "A",
      content: "192.0.2.2",
    }),
    "PUT /v1/orgs/{org_id}/zones/{zone_id}/records": ofZone("/records", () => ['"updated"'], {
      sets: [{ name: "www", type: "A", records: [] }],
    }),
    "PUT /v1/orgs/{org_id}/zones/{zone_id}/records/{record_id}": ofZone(
      "/records/{record_id}",
      ({ marker }) => [marker],
      { ttl: 300 },
    ),
    "DELETE /v1/orgs/{org_id}/zones/{zone_id}/records/{record_id}": ofZone("/records/{record_id}", () => []),
    "POST /v1/orgs/{org_id}/zones/{zone_id}/import": ofZone("/import", () => ['"imported":1,'], { bind_file: FILE }),
    "GET /v1/orgs/{org_id}/zones/{zone_id}/export": ofZone("/export", ({ name, marker }) => [name, marker]),
    "GET /v1/orgs/{org_id}/zones/{zone_id}/dnssec": ofZone("/dnssec", () => ['"ds_records"']),
    "POST /v1/orgs/{org_id}/zones/{zone_id}/dnssec": ofZone("/dnssec", () => ['"ds_records"'], undefined, 0),
    "POST /v1/orgs/{org_id}/zones/{zone_id}/dnssec/rotate": ofZone("/dnssec/rotate", () => ['"ds_records"']),
    "DELETE /v1/orgs/{org_id}/zones/{zone_id}/dnssec/keys/{key_id}": ofZone(
      "/dnssec/keys/{key_id}",
      () => ['"ds_records"'],
      undefined,
      2,
    ),
    "DELETE /v1/orgs/{org_id}/zones/{zone_id}/dnssec": ofZone("/dnssec", () => ['"unsigned"'], { confirm: true }),
    "GET /v1/orgs/{org_id}/zones/{zone_id}/changes": ofZone("/changes", ({ marker }) => [marker]),
  },
  async renew(stage) {
    made = await ownersZone(stage);
    const name = `${stage.marker} ${++spares}`;
    spare = { ...(await issueKey(stage.selo.operator, stage.owner.id, name)), name };
  },
  secretsNow: () => [made.name],
  graphql: {
    dnsKeys: field(
      "dns_keys:manage",
      () => "{ dnsKeys(first: 200) { nodes { id name prefix scopes zones acmeOnly } totalCount } }",
      () => [spare.name],
      ofPeople,
    ),
    createDnsKey: field(
      "dns_keys:manage",
      () => `mutation { createDnsKey(input: {name: "another"}) { dnsKey { name } secret } }`,
      () => ["another"],
      ofPeople,
    ),
    revokeDnsKey: field(
      "dns_keys:manage",
      () => `mutation { revokeDnsKey(input: {id: "${spare.id}"}) { dnsKey { name revokedAt } } }`,
      () => [spare.name],
      { ...ofPeople, ...ofOne },
    ),
    dnsZone: field("zone:read", () => `{ dnsZone(id: "${made.zone}") { ${ZONE} } }`, named),
    dnsZones: field("zone:read", () => `{ dnsZones(first: 200) { nodes { ${ZONE} } edges { cursor } } }`, named),
    dnsRecord: field("record:read", () => `{ dnsRecord(id: "${made.record}") { ${RECORD} } }`, marked),
    dnsRecords: field(
      "record:read",
      () => `{ dnsRecords(first: 200) { nodes { ${RECORD} } edges { cursor } } }`,
      marked,
    ),
    createDnsZone: field(
      "zone:write",
      () => `mutation { createDnsZone(input: {name: "${newName()}"}) { zone { ${ZONE} } } }`,
      () => ["PENDING"],
    ),
    dnssecKey: field(
      "zone:read",
      () => `{ dnssecKey(id: "${made.key}") { ${KEY} } }`,
      () => [`"zoneId":"${made.zone}"`],
    ),
    dnssecKeys: field(
      "zone:read",
      () => `{ dnssecKeys(first: 200) { nodes { ${KEY} } edges { cursor } } }`,
      () => [`"zoneId":"${made.zone}"`],
    ),
    dnsSetup: field(
      "zone:read",
      () => `{ dnsSetup(zoneId: "${made.zone}") { assignedNs instructions { title } } }`,
      () => ["Bring your records"],
      ofOne,
    ),
    dnsZoneExport: field(
      "record:read",
      () => `{ dnsZoneExport(zoneId: "${made.zone}") }`,
      ({ marker }) => [marker, made.name],
      ofOne,
    ),
    dnsChanges: field(
      "record:read",
      () => `{ dnsChanges(zoneId: "${made.zone}") { serial added { name comment } } }`,
      marked,
      ofOne,
    ),
    dnssec: field("zone:read", () => `{ dnssec(zoneId: "${made.zone}") { ${DNSSEC} } }`, signs, ofOne),
    enableDnssec: field(
      "zone:write",
      () => `mutation { enableDnssec(input: {zoneId: "${made.zone}"}) { ${DNSSEC} } }`,
      () => ["already signed"],
      {
        ...ofOne,
        refused: [409, "dnssec_enabled"],
      },
    ),
    rotateDnssec: field(
      "zone:write",
      () => `mutation { rotateDnssec(input: {zoneId: "${made.zone}"}) { ${DNSSEC} } }`,
      signs,
      ofOne,
    ),
    deleteDnssecKey: field(
      "zone:write",
      () => `mutation { deleteDnssecKey(input: {zoneId: "${made.zone}", keyId: "${made.key}"}) { ${DNSSEC} } }`,
      () => ["cannot be removed"],
      { ...ofOne, refused: [422, "last_key"] },
    ),
    disableDnssec: field(
      "zone:write",
      () => `mutation { disableDnssec(input: {zoneId: "${made.zone}", confirm: true}) { ${DNSSEC} } }`,
      () => ['"chain":"unsigned"'],
      ofOne,
    ),
    deleteDnsZone: field(
      "zone:write",
      () => `mutation { deleteDnsZone(input: {zoneId: "${made.zone}"}) { zoneId } }`,
      () => [made.zone],
      ofOne,
    ),
    checkDnsDelegation: field(
      "zone:write",
      () => `mutation { checkDnsDelegation(input: {zoneId: "${made.zone}"}) { zone { ${ZONE} } } }`,
      named,
      ofOne,
    ),
    createDnsRecord: field(
      "record:write",
      () => `mutation { createDnsRecord(input: {zoneId: "${made.zone}", ${OTHER}}) { record { ${RECORD} } } }`,
      named,
      ofOne,
    ),
    updateDnsRecord: field(
      "record:write",
      () =>
        `mutation { updateDnsRecord(input: {zoneId: "${made.zone}", recordId: "${made.record}", ttl: 300}) { record { ${RECORD} } } }`,
      marked,
      ofOne,
    ),
    deleteDnsRecord: field(
      "record:write",
      () => `mutation { deleteDnsRecord(input: {zoneId: "${made.zone}", recordId: "${made.record}"}) { recordId } }`,
      () => [made.record],
      ofOne,
    ),
    importDnsZone: field(
      "zone:write",
      () =>
        `mutation { importDnsZone(input: {zoneId: "${made.zone}", bindFile: "${FILE}"}) { imported skipped serial } }`,
      () => ['"imported":1,'],
      ofOne,
    ),
    replaceDnsRecords: field(
      "record:write",
      () =>
        `mutation { replaceDnsRecords(input: {zoneId: "${made.zone}", sets: [{name: "www", type: "A", records: []}]}) { serial deleted } }`,
      () => ["deleted"],
      ofOne,
    ),
  },
};
