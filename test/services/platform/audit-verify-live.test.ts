// `selo audit verify` beside everything that writes: it sees one instant, and takes nothing of what comes later for a fault.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { newOrganization, startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { ownerPool } from "../../support/owner.ts";
import { call } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ credits: 100_000 });
});
afterAll(() => selo.stop());

test("while proofs, tokens, webhooks, analysts, credits, settings and seals are written, nothing is amiss", async () => {
  const owner = ownerPool(selo.database);
  // An operator has one connection, and waits for nobody else's statement.
  const operators = await Promise.all([1, 2, 3].map(() => Operator.connect(selo.database.adminUrl)));
  const [forTokens, forCredits, forOrganizations] = operators as [Operator, Operator, Operator];
  const webhooks = webhookCaller(selo, organization.live);
  let number = 0;
  const writers: Record<string, () => Promise<unknown>> = {
    proofs: () => {
      const body = { sha256: randomBytes(32).toString("hex"), label: "Contract" };
      return call(selo, "POST", "/proofs", { token: organization.live, body });
    },
    tokens: async () => {
      const { id } = await forTokens.createToken(organization.id, "live", "brief", ["proofs:read"]);
      await forTokens.revokeToken(id);
    },
    webhooks: async () => {
      const { id } = await webhooks.register();
      await webhooks.ask("PATCH", `/webhooks/${id}`, { description: "changed" });
      await webhooks.ask("DELETE", `/webhooks/${id}`);
    },
    analysts: async () => {
      const login = `selo_analyst_live_${++number}`;
      await owner.query("select platform.bind_analyst($1, $2, 'live')", [login, organization.id]);
      await owner.query("select platform.unbind_analyst($1)", [login]);
    },
    organizations: () => newOrganization(forOrganizations),
    credits: () => forCredits.grantCredits(organization.id, "signature", 5),
    settings: () => owner.query("select platform.change_setting('public_url', $1)", [`http://${++number}.test`]),
    seals: () => selo.seal(),
  };
  /** Each writes five times, which take as long as a verification or longer. */
  const writeAll = () =>
    Promise.all(
      Object.values(writers).map(async (write) => {
        for (let times = 0; times < 5; times++) {
          await write();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    );
  let proofs = 0;
  try {
    for (let round = 0; round < 4; round++) {
      const writing = writeAll();
      try {
        const verified = await verifyAll(selo.operator);
        expect(verified.faults).toEqual([]);
        expect((await verifyAll(selo.operator, { since: verified.seals })).faults).toEqual([]);
        expect(verified.verified.proofs).toBeGreaterThanOrEqual(proofs);
        proofs = verified.verified.proofs ?? 0;
      } finally {
        await writing;
      }
    }
  } finally {
    await owner.end();
    await Promise.all(operators.map((operator) => operator.close()));
  }
  // At the last instant that was verified, the writes of three rounds were over.
  expect(proofs).toBeGreaterThanOrEqual(15);
}, 120_000);

test("killed amid its work, it leaves nothing behind, and another finds what it would have found", async () => {
  const held = await selo.database.admin.connect();
  await held.query("begin; lock table platform.tokens in access exclusive mode");
  const killed = verifyAll(selo.operator).then(
    () => "done",
    () => "broken off",
  );
  const waiting =
    "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%audit_check%'";
  try {
    // A reader has several connections, and each of them may have come to the lock by now.
    await expect.poll(async () => (await selo.database.admin.query(`select ${waiting}`)).rowCount).toBeGreaterThan(0);
    await selo.database.admin.query(`select pg_terminate_backend(pid) ${waiting}`);
  } finally {
    // With its lock, whatever failed.
    held.release(true);
  }
  expect(await killed).toBe("broken off");
  const left =
    "select from pg_stat_activity where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()";
  await expect.poll(async () => (await selo.database.admin.query(left)).rowCount).toBe(0);
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
});
