// A zone as an organization makes it, for tests that look at what all services keep.
import { expect } from "vitest";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";

/** Makes a zone with records of several kinds, a delegation and a name without records. */
export async function writeZone(
  selo: TestGateway,
  { number }: TestOrganization,
  key: string,
  name: string,
): Promise<void> {
  const ask = (path: string, body: object) =>
    call(selo, "POST", `/orgs/${number}/zones${path}`, { prefix: "/v1", token: key, body });
  const zone = await ask("", { name });
  expect(zone.status).toBe(201);
  for (const record of [
    { name: "", type: "MX", content: "mail.example.net", priority: 10 },
    { name: "a.b", type: "TXT", content: "não" },
    { name: "sub", type: "NS", content: "ns.sub.example.net" },
    { name: "ns.sub", type: "A", content: "192.0.2.1" },
  ])
    expect((await ask(`/${zone.body.id}/records`, record)).status).toBe(201);
}
