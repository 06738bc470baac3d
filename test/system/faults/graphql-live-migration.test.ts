import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { PATIENCE_MS } from "../../../src/postgres/patience.ts";
import { changedSource } from "../../support/changed-source.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

test("reads go on while schema api is dropped and made anew under them", async () => {
  let migrating = true;
  const statuses = new Map<number, number>();
  const reader = async () => {
    while (migrating) {
      const asked = performance.now();
      const { status } = await graphql(
        selo,
        organization.live,
        `{ proofs { nodes { id evidence } } found: proofs(search: "x") { nodes { id } } platformKeys { nodes { status } } }`,
      );
      // A machine so slow that a step takes as long as a caller is kept waiting: refused, and not wrongly.
      if (status === 503 && performance.now() - asked >= PATIENCE_MS) continue;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const readers = Array.from({ length: 6 }, reader);
  try {
    for (let turn = 0; turn < 2; turn++) {
      const source = changedSource({ "signature/api/proofs.sql": (text) => `${text}\n-- ${turn}` });
      expect(await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [], source })).toEqual(["repeatable"]);
    }
  } finally {
    migrating = false;
    await Promise.all(readers);
  }
  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(10);
}, 120_000);
