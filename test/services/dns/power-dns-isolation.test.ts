// The isolation matrix of the API of PowerDNS: every path × another organization, tokens, missing scope, narrowed keys, anonymous.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANY_TOKEN } from "../../../src/postgres/command.ts";
import { powerDnsSurface, powerDnsVersions } from "../../../src/services/dns/power-dns/power-dns-surface.ts";
import { dns } from "../../../src/services/dns/service.ts";
import { issueKey, type Narrowing } from "../../../src/services/dns/store.ts";
import { routesOf, scopeOf } from "../../../src/surfaces/rest/route.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { countRows } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

const ALL = ["record:read", "record:write", "zone:read", "zone:write"];

let stage: DnsStage;
let owner: Customer;
let stranger: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  [owner, stranger] = [await stage.customer(), await stage.customer()];
  await stranger.zone();
});
afterAll(() => stage?.close());

const routes = routesOf([dns]).filter((route) => [powerDnsSurface, powerDnsVersions].includes(surfaceOf(route)));
const nameOf = (route: (typeof routes)[number]) => `${route.method} ${surfaceOf(route).prefix}${route.path}`;

interface Entry {
  readonly body?: (zone: Zone) => object;
  /** What a key is answered that is narrowed to another zone, and one that is narrowed to TXT records of _acme-challenge. */
  readonly narrowed: readonly [ofZone: number, ofAcme: number];
}

const TEXT = (zone: Zone) => ({
  rrsets: [
    {
      name: `_acme-challenge.${zone.name}.`,
      type: "TXT",
      changetype: "REPLACE",
      ttl: 60,
      records: [{ content: '"x"' }],
    },
  ],
});
const ZONES = "/api/v1/servers/localhost/zones";
const ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api": { narrowed: [200, 200] },
  "GET /api/v1/servers": { narrowed: [200, 200] },
  "GET /api/v1/servers/localhost": { narrowed: [200, 200] },
  [`GET ${ZONES}`]: { narrowed: [200, 200] },
  [`POST ${ZONES}`]: { body: () => ({ name: `${stage.newName()}.`, kind: "Native" }), narrowed: [403, 403] },
  [`GET ${ZONES}/{zone}`]: { narrowed: [403, 200] },
  [`PATCH ${ZONES}/{zone}`]: { body: TEXT, narrowed: [403, 204] },
  [`DELETE ${ZONES}/{zone}`]: { narrowed: [403, 403] },
  [`PUT ${ZONES}/{zone}/notify`]: { narrowed: [403, 200] },
  [`PUT ${ZONES}/{zone}/rectify`]: { narrowed: [403, 200] },
  [`GET ${ZONES}/{zone}/cryptokeys`]: { narrowed: [403, 403] },
  [`GET ${ZONES}/{zone}/export`]: { narrowed: [403, 403] },
};

test("every path stands in the matrix, and only those", () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(ENTRIES).sort());
});

describe.each(routes.map((route) => [nameOf(route), route] as const))("%s", (name, route) => {
  const { body, narrowed } = ENTRIES[name] as Entry;
  const scope = scopeOf(route) ?? "";
  const isOfZone = route.path.includes("{zone}");
  const ask = (key: string, zone: Zone) =>
    new PowerDnsClient(stage.selo, key).ask(
      route.method,
      `${surfaceOf(route).prefix}${route.path.replace("{zone}", `${zone.name}.`)}`,
      body?.(zone),
    );
  const keyOf = async (scopes: readonly string[] | null, narrowing: Narrowing = {}) =>
    (await issueKey(stage.selo.operator, owner.organization.id, "matrix", scopes, narrowing)).secret;
  let zone: Zone;
  beforeAll(async () => {
    zone = await owner.zone();
  });

  /** Asks, and nothing is written. */
  async function askInVain(key: string) {
    const rows = await countRows(stage.selo);
    const answer = await ask(key, zone);
    expect(answer.text).not.toContain(zone.name);
    expect(await countRows(stage.selo)).toEqual(rows);
    return answer;
  }

  test("another organization's key finds nothing of it", async () => {
    if (isOfZone) expect((await askInVain(stranger.token)).status).toBe(404);
    else if (route.method === "GET") expect((await askInVain(stranger.token)).status).toBe(200);
  });

  test("a token of the main API, an unknown key and none are 401", async () => {
    for (const key of [owner.organization.live, owner.organization.test, `dns_00000000_${"A".repeat(43)}`, ""])
      expect((await askInVain(key)).status).toBe(401);
  });

  if (scope !== ANY_TOKEN)
    test("a key with every scope but its own is 403, and writes nothing", async () => {
      const { status, body: said } = await askInVain(await keyOf(ALL.filter((each) => each !== scope)));
      expect([status, said.error]).toEqual([403, expect.stringContaining(scope)]);
    });

  test("a key that is narrowed to another zone, and one of _acme-challenge", async () => {
    const elsewhere = await keyOf(null, { zones: [(await owner.zone()).body.id] });
    for (const [key, status] of [
      [elsewhere, narrowed[0]],
      [await keyOf(null, { acmeOnly: true }), narrowed[1]],
    ] as const)
      if (status === 403) expect((await askInVain(key)).status).toBe(403);
      else expect((await ask(key, zone)).status).toBe(status);
    if (narrowed[0] === 200) expect((await ask(elsewhere, zone)).text).not.toContain(`"${zone.name}."`);
  });

  test("a key with its scope alone, or with any where none is asked, suffices", async () => {
    const answer = await ask(await keyOf([scope === ANY_TOKEN ? "record:read" : scope]), zone);
    expect(answer.status).toBe(route.status);
    // A zone that is not signed has no keys to be shown.
    if (isOfZone && route.method === "GET" && !route.path.endsWith("/cryptokeys"))
      expect(answer.text).toContain(zone.name);
  });
});
