import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Views, viewColumns } from "../../../src/postgres/generated/views.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

async function ask<Body>(path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${selo.baseUrl}/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Body;
}

test("REST answers a proof with the members of its view, in the documented order, null only where the view says so", async () => {
  const sha256 = createHash("sha256").update("views").digest("hex");
  const created = await ask<Views["proofs"]>("/proofs", { sha256 });
  const read = await ask<Views["proofs"]>(`/proofs/${created.id}`);
  const list = await ask<{ items: Views["proofs"][] }>("/proofs");
  for (const proof of [created, read, ...list.items]) {
    expect(Object.keys(proof)).toEqual(viewColumns.proofs);
    const nulls = Object.entries(proof).filter(([, value]) => value === null);
    expect(nulls.map(([name]) => name)).toEqual(["label", "file_name", "file_size"]);
  }
  expect(list.items).toHaveLength(1);
});

test("REST answers the public keys with the members of their view", async () => {
  const { platform_keys: keys } = await ask<{ platform_keys: Views["platform_keys"][] }>("/public/platform-key");
  expect(keys).toHaveLength(4);
  for (const key of keys) {
    expect(Object.keys(key)).toEqual(viewColumns.platform_keys);
    expect({ ...key, retired_at: null }).toEqual(key);
    expect(Object.values(key).filter((value) => value === null)).toHaveLength(1);
  }
});
