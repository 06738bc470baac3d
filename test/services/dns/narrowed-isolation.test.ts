// The isolation matrix of narrowed keys, over REST and GraphQL: every path and root field × a key of another zone, a key of _acme-challenge. Beside it,
// sessions and links of people, over all three surfaces. Issue "DNS hosting II" §5, §8. power-dns-isolation.test.ts has the API of PowerDNS.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { powerDnsSurface, powerDnsVersions } from "../../../src/services/dns/power-dns/power-dns-surface.ts";
import { dns } from "../../../src/services/dns/service.ts";
import { issueKey, type Narrowing } from "../../../src/services/dns/store.ts";
import { dnsSurface } from "../../../src/services/dns/surface.ts";
import { type Route, routesOf } from "../../../src/surfaces/rest/route.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { type Asked, openStage, type RootField } from "../../support/isolation/isolation.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import { isolation } from "./isolation.ts";

/** What a key of _acme-challenge may ask for; everything else is refused. None of it shows a record. */
const OPEN_TO_ACME = [
  "GET /v1/me",
  "GET /v1/orgs/{org_id}/zones",
  "GET /v1/orgs/{org_id}/zones/{zone_id}",
  "GET /v1/orgs/{org_id}/zones/{zone_id}/records",
];
/** What a key of another zone may ask for: its own things. */
const OPEN_TO_OTHERS = ["GET /v1/me", "GET /v1/orgs/{org_id}/zones"];
/** Root fields that list, or find nothing. */
const READS = ["dnsRecord", "dnsRecords", "dnsZone", "dnsZones", "dnssecKey", "dnssecKeys"];

let stage: Awaited<ReturnType<typeof openStage>>;
/** Keys of the owner's. */
let ofZone: string;
let ofAcme: string;
let ownerKey: string;
beforeAll(async () => {
  stage = await openStage([isolation]);
  await stage.selo.database.admin.query("update platform.organizations set plan = 'business' where id = $1", [
    stage.owner.id,
  ]);
  const keyOf = async (narrowing: Narrowing) =>
    (await issueKey(stage.selo.operator, stage.owner.id, "narrow", null, narrowing)).secret;
  ownerKey = await keyOf({});
  const made = await call(stage.selo, "POST", `/orgs/${stage.owner.number}/zones`, {
    prefix: "/v1",
    token: ownerKey,
    body: { name: "elsewhere.example" },
  });
  [ofZone, ofAcme] = [await keyOf({ zones: [made.body.id] }), await keyOf({ acmeOnly: true })];
});
afterAll(() => stage?.selo.stop());

const all = routesOf([dns]);
const nameOf = (route: Route) => `${route.method} ${surfaceOf(route).prefix}${route.path}`;
// Fields for people alone refuse every key.
const fields = Object.entries(isolation.graphql).filter(([, { isOfPeople }]) => !isOfPeople);
const routes = all.filter((route) => surfaceOf(route) === dnsSurface).map((route) => [nameOf(route), route] as const);

test("every path of the service belongs to one of the surfaces that the matrices have", () => {
  const others = [powerDnsSurface, powerDnsVersions];
  expect(all.filter((route) => ![dnsSurface, ...others].includes(surfaceOf(route)))).toEqual([]);
  expect(routes.map(([name]) => name).sort()).toEqual(Object.keys(isolation.keyed ?? {}).sort());
});

/** The rows of all tables; undefined where a test has written some since. */
let rowsNow: Record<string, number> | undefined;
const renew = async () => {
  rowsNow = undefined;
  await isolation.renew?.(stage);
};

/** How the owner is asked by a path of /v1. Nobody here gets an answer, so what it is about stays. */
const prepared = new Map<string, Promise<Asked>>();
function askedBy(name: string): Promise<Asked> | undefined {
  if (!prepared.has(name)) rowsNow = undefined;
  const known = prepared.get(name) ?? isolation.keyed?.[name]?.(stage);
  if (known !== undefined) prepared.set(name, Promise.resolve(known));
  return prepared.get(name);
}
const pathOf = ({ path }: Asked) => path.replace("{org_id}", String(stage.owner.number));

/** Asks, and nothing is written. */
async function inVain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const rows = rowsNow ?? (await countRows(stage.selo));
  const answer = await ask();
  rowsNow = await countRows(stage.selo);
  expect(rowsNow).toEqual(rows);
  return answer;
}

describe.each(routes)("%s", (name, route) => {
  const ask = async (token: string) => {
    const asked = (await askedBy(name)) as Asked;
    const answer = await inVain(() =>
      call(stage.selo, route.method, pathOf(asked), { prefix: "/v1", token, body: asked.body }),
    );
    return { asked, answer };
  };

  test("a key of another zone", async () => {
    const { asked, answer } = await ask(ofZone);
    if (OPEN_TO_OTHERS.includes(name)) expect(answer.status).toBe(route.status);
    else expectError(answer, 403, "forbidden");
    expect(answer.text).not.toContain(stage.marker);
    if (name !== "GET /v1/me") for (const word of asked.shows) expect(answer.text).not.toContain(word);
  });

  test("a key of _acme-challenge", async () => {
    const { answer } = await ask(ofAcme);
    if (OPEN_TO_ACME.includes(name)) expect(answer.status).toBe(route.status);
    else expectError(answer, 403, "forbidden");
    for (const word of [stage.marker, "192.0.2.1", "ds_records"]) expect(answer.text).not.toContain(word);
  });
});

describe.each(fields)("%s", (name, field: RootField) => {
  beforeAll(renew);

  test("a key of another zone", async () => {
    const answer = await inVain(() => field.ask(stage, ofZone));
    const said = JSON.stringify([answer.data, answer.errors]);
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(READS.includes(name) ? [] : ["forbidden"]);
    for (const word of [stage.marker, ...(isolation.secretsNow?.() ?? [])]) expect(said).not.toContain(word);
    for (const word of field.shows(stage)) expect(JSON.stringify(answer.data)).not.toContain(word);
  });

  test("a key of _acme-challenge", async () => {
    const answer = await inVain(() => field.ask(stage, ofAcme));
    const said = JSON.stringify([answer.data, answer.errors]);
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(READS.includes(name) ? [] : ["forbidden"]);
    for (const word of [stage.marker, "192.0.2.1", 'dsRecords":["']) expect(said).not.toContain(word);
  });

  test("the key that is not narrowed is shown it, or this matrix shows nothing", async () => {
    const { data, errors } = await field.ask(stage, ownerKey);
    for (const word of field.shows(stage)) expect(JSON.stringify([data, errors])).toContain(word);
  });
});

describe.each([
  ["the session of a person", "user", "{proofs:read,zone:read,zone:write,record:read,record:write}"],
  ["the link of a participant", "participant", "{signing:act,zone:read,zone:write,record:read,record:write}"],
])("%s, also where its row names scopes of DNS", (_, kind, scopes) => {
  const secret = randomBytes(32).toString("base64url");
  const sha256 = (of: string | Buffer) => createHash("sha256").update(of).digest();
  beforeAll(async () => {
    await renew();
    await stage.selo.database.admin.query(
      `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values ($1, $2, $3, 'live', gen_random_uuid(), 'credential', $4)`,
      [sha256(sha256(secret)), kind, stage.owner.id, scopes],
    );
  });

  test.each(all.map((route) => [nameOf(route), route] as const))("%s", async (name, route) => {
    const asked = await askedBy(name);
    const path = asked === undefined ? route.path.replace("{zone}", "any.example.") : pathOf(asked);
    const { prefix } = surfaceOf(route);
    const headers = { authorization: `Bearer ${secret}`, "x-api-key": secret, "x-signing-link": secret };
    const { status, text } = await inVain(() =>
      call(stage.selo, route.method, path, { prefix, headers, body: asked?.body }),
    );
    expect([401, 403]).toContain(status);
    for (const word of [stage.marker, ...(asked?.shows ?? [])]) expect(text).not.toContain(word);
  });

  test.each(fields)("%s of GraphQL", async (_name, field) => {
    const { data, errors } = await inVain(() => field.ask(stage, secret));
    expect(["missing_scope", "unauthenticated"]).toContain(errors[0]?.extensions.code);
    for (const word of [stage.marker, ...field.shows(stage)]) expect(JSON.stringify(data ?? null)).not.toContain(word);
  });
});
