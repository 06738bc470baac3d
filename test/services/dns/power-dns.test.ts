// The API of PowerDNS 4.7, as its documentation has it: issue "DNS hosting II" §5.
import { describe, expect, test } from "vitest";
import { call, countRows } from "../../support/rest-client.ts";
import { PowerDnsClient } from "./power-dns-client.ts";
import { client, one, setUpPowerDns, stage } from "./power-dns-stage.ts";

const ZONES = "/api/v1/servers/localhost/zones";

setUpPowerDns();

describe("what the server is", () => {
  test("GET /api names the one version", async () => {
    const { status, body } = await client.ask("GET", "/api");
    expect({ status, body }).toEqual({ status: 200, body: [{ version: 1, url: "/api/v1" }] });
  });

  test("GET /api/v1/servers and /api/v1/servers/localhost describe it", async () => {
    const server = {
      type: "Server",
      id: "localhost",
      daemon_type: "authoritative",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      url: "/api/v1/servers/localhost",
      config_url: "/api/v1/servers/localhost/config{/config_setting}",
      zones_url: "/api/v1/servers/localhost/zones{/zone}",
    };
    expect((await client.ask("GET", "/api/v1/servers")).body).toEqual([server]);
    expect((await client.ask("GET", "/api/v1/servers/localhost")).body).toEqual(server);
  });
});

describe("errors", () => {
  test.each([
    ["GET", "/api/v1/servers/other"],
    ["GET", "/api/v1/servers/"],
    ["GET", "/api/v1/servers/localhost/config"],
    ["GET", "/api/v1/servers/localhost/nothing"],
    ["GET", `${ZONES}/nobody.example.`],
    ["PATCH", `${ZONES}/nobody.example.`],
    ["DELETE", `${ZONES}/nobody.example.`],
    ["PUT", `${ZONES}/nobody.example./notify`],
    ["PUT", `${ZONES}/nobody.example./rectify`],
    ["GET", `${ZONES}/nobody.example./export`],
    ["GET", `${ZONES}/1`],
    ["GET", `${ZONES}/=00`],
    ["GET", `${ZONES}/${"a".repeat(1_100)}.`],
  ])("%s %s is 404 in its words", async (method, path) => {
    const { status, body } = await client.ask(method, path, method === "PATCH" ? { rrsets: [] } : undefined);
    expect({ status, body }).toEqual({ status: 404, body: { error: "Not Found" } });
  });

  test.each([
    ["POST", "/api", "GET, HEAD"],
    ["DELETE", "/api/v1/servers", "GET, HEAD"],
    ["PUT", ZONES, "GET, HEAD, POST"],
    ["PUT", `${ZONES}/a.example.`, "DELETE, GET, HEAD, PATCH"],
    ["POST", `${ZONES}/a.example./notify`, "PUT"],
  ])("%s %s is 405 in its words", async (method, path, allow) => {
    const { status, body, headers } = await client.ask(method, path);
    expect({ status, body, allow: headers.get("allow") }).toEqual({
      status: 405,
      body: { error: "Method Not Allowed" },
      allow,
    });
  });

  test("without a key, with another one, and with a token, everything is 401 in its words", async () => {
    const keys = [
      {},
      { "x-api-key": "secret" },
      { "x-api-key": `dns_00000000_${"A".repeat(43)}` },
      { "x-api-key": one.organization.live },
    ];
    const others = [{ authorization: `Bearer ${one.token}` }, { "x-api-key": `Bearer ${one.token}` }];
    for (const headers of [...keys, ...others])
      for (const [method, path] of [
        ["GET", "/api"],
        ["GET", "/api/v1/servers"],
        ["GET", ZONES],
        ["POST", ZONES],
        ["PATCH", `${ZONES}/a.example.`],
      ] as const) {
        const answer = await call(stage.selo, method, path, { prefix: "", headers });
        expect({ headers, path, status: answer.status, body: answer.body }).toEqual({
          headers,
          path,
          status: 401,
          body: { error: "Unauthorized" },
        });
        expect(answer.headers.get("www-authenticate")).toBe('X-API-Key realm="PowerDNS"');
      }
  });

  test("the main API and its errors are as they were, beside it and above it", async () => {
    const main = async (method: string, path: string) =>
      (await call(stage.selo, method, path, { prefix: "", token: one.organization.live })).body.detail?.code;
    expect(await main("GET", "/api/v1/nothing")).toBe("not_found");
    expect(await main("GET", "/api/v1/serverse")).toBe("not_found");
    expect(await main("GET", "/api/nothing")).toBe("not_found");
    expect(await main("GET", "/api/")).toBe("not_found");
    expect((await call(stage.selo, "GET", "/proofs", { token: one.organization.live })).status).toBe(200);
  });

  test("a body that is no JSON, or not of the right shape, changes nothing", async () => {
    const zone = await one.zone();
    const rows = await countRows(stage.selo);
    const path = `${ZONES}/${zone.name}.`;
    const cases: [number, string | object][] = [
      [400, "{"],
      [400, ""],
      [422, "[]"],
      [422, {}],
      [422, { rrsets: {} }],
      [422, { rrsets: [1] }],
      [422, { rrsets: [{ type: "A" }] }],
      [422, { rrsets: [{ name: `a.${zone.name}.`, type: "A", changetype: "REPLACE", ttl: "60", records: [] }] }],
      [
        422,
        { rrsets: [{ name: `a.${zone.name}.`, type: "A", changetype: "REPLACE", ttl: 60, records: [{ content: 1 }] }] },
      ],
      [
        422,
        {
          rrsets: [
            { name: `a.${zone.name}.`, type: "A", changetype: "REPLACE", ttl: 60, records: [{ content: "a\u0000" }] },
          ],
        },
      ],
    ];
    for (const [expected, body] of cases) {
      const answer = await client.ask("PATCH", path, body);
      expect({ body, status: answer.status, said: answer.body }).toEqual({
        body,
        status: expected,
        said: { error: expect.stringMatching(/\.$/) },
      });
    }
    expect(await countRows(stage.selo)).toEqual(rows);
  });

  test("a key that lacks a scope is 403", async () => {
    const zone = await one.zone();
    const reader = new PowerDnsClient(stage.selo, await one.key(["record:read", "zone:read"]));
    expect((await reader.zone(zone.name)).status).toBe(200);
    expect((await reader.patch(zone.name, [])).status).toBe(403);
    expect((await reader.delete(zone.name)).status).toBe(403);
    const zoneWriter = new PowerDnsClient(stage.selo, await one.key(["zone:write"]));
    const rrsets = (name: string) => [{ name: `${name}.`, type: "A", ttl: 60, records: [{ content: "192.0.2.1" }] }];
    const name = stage.newName();
    const refused = await zoneWriter.create({ name: `${name}.`, kind: "Native", rrsets: rrsets(name) });
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("record:write")]);
    expect((await zoneWriter.create({ name: `${name}.`, kind: "Native" })).status).toBe(201);
  });
});

test("no path of another surface begins as its paths do", async () => {
  const { everyRoute } = await import("../../support/routes.ts");
  const { surfaceOf } = await import("../../../src/surfaces/rest/surfaces.ts");
  const paths = everyRoute.map((route) => surfaceOf(route).prefix + route.path);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => path === "/api" || /^\/api\/v1\/servers(\/|$)/.test(path))).toEqual([]);
});
