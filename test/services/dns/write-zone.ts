// A zone as an organization makes it, for tests that look at what all services keep.
import { expect } from "vitest";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";

/** A zone with its records, as they were answered. */
export interface WrittenZone {
  readonly id: number;
  readonly name: string;
  readonly recordIds: readonly number[];
}

/** Makes a signed zone with records of several kinds, a delegation, an ALIAS and a name without records. */
export async function writeZone(
  selo: TestGateway,
  { number }: TestOrganization,
  key: string,
  name: string,
): Promise<WrittenZone> {
  const ask = (path: string, body: object) =>
    call(selo, "POST", `/orgs/${number}/zones${path}`, { prefix: "/v1", token: key, body });
  const zone = await ask("", { name });
  expect(zone.status).toBe(201);
  const recordIds: number[] = [];
  for (const record of [
    { name: "", type: "MX", content: "mail.example.net", priority: 10 },
    { name: "a.b", type: "TXT", content: "não" },
    { name: "sub", type: "NS", content: "ns.sub.example.net" },
    { name: "ns.sub", type: "A", content: "192.0.2.1" },
    { name: "alias", type: "ALIAS", content: `ns.sub.${name}` },
  ]) {
    const { status, body } = await ask(`/${zone.body.id}/records`, record);
    expect(status).toBe(201);
    recordIds.push(body.id);
  }
  expect((await ask(`/${zone.body.id}/dnssec`, {})).status).toBe(201);
  return { id: zone.body.id, name, recordIds };
}

/** Makes a zone whose records were changed and deleted and which has two keys, and another one that was deleted. */
export async function writeZones(
  selo: TestGateway,
  organization: TestOrganization,
  key: string,
  name: string,
): Promise<WrittenZone> {
  const ask = async (method: string, path: string, status: number, body?: object) => {
    const request = { prefix: "/v1", token: key, body };
    const answer = await call(selo, method, `/orgs/${organization.number}/zones${path}`, request);
    expect(answer.status).toBe(status);
  };
  const zone = await writeZone(selo, organization, key, name);
  await ask("PUT", `/${zone.id}/records/${zone.recordIds[0]}`, 200, { ttl: 300, comment: "ours" });
  await ask("POST", `/${zone.id}/records`, 201, { name: "old", type: "TXT", content: "x" });
  const sets = [
    { name: "old", type: "TXT", records: [] },
    { name: "new", type: "AAAA", records: [{ content: "2001:db8::1", disabled: true }] },
  ];
  await ask("PUT", `/${zone.id}/records`, 200, { sets });
  await ask("POST", `/${zone.id}/records`, 201, { name: "gone", type: "A", content: "192.0.2.2" });
  await ask("PUT", `/${zone.id}/records`, 200, { sets: [{ name: "gone", type: "A", records: [] }] });
  await ask("POST", `/${zone.id}/dnssec/rotate`, 200);
  const deleted = await writeZone(selo, organization, key, `deleted-${name}`);
  await ask("DELETE", `/${deleted.id}`, 204);
  return zone;
}
