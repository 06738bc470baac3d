import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

test.each(["prepare_proofs", "record_proofs"])("%s takes fifty requests and not one more", async (command) => {
  const client = await selo.database.admin.connect();
  const ask = (count: number) => {
    const proofs = Array.from({ length: count }, () => ({ sha256: "not a digest" }));
    return client.query(`select json_array_length(gateway.${command}($1)) as answered`, [JSON.stringify(proofs)]);
  };
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'test', null, null, '{proofs:write}')", [organization.id]);
    if (command === "prepare_proofs") expect((await ask(50)).rows).toEqual([{ answered: 50 }]);
    await expect(ask(51)).rejects.toMatchObject({ code: "PT422", detail: expect.stringContaining('"proofs"') });
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("twelve at once with one digest and a key each: one proof, one credit, and every key replays what it answered", async () => {
  for (let round = 0; round < 5; round++) {
    const sha256 = createHash("sha256").update(`one digest ${round}`).digest("hex");
    const post = async (key: string) => {
      const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${organization.live}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ sha256 }),
      });
      const replayed = answer.headers.get("idempotent-replayed");
      return { replayed, answered: { status: answer.status, body: (await answer.json()) as object } };
    };
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const first = await Promise.all(keys.map(post));
    expect(first.map(({ answered }) => answered.status).sort()).toEqual([
      ...Array.from({ length: 11 }, () => 200),
      201,
    ]);
    expect(first.every(({ replayed }) => replayed === null)).toBe(true);
    for (const [place, key] of keys.entries())
      expect(await post(key)).toEqual({ replayed: "true", answered: first[place]?.answered });
  }
  const { rows } = await selo.database.admin.query(
    "select (select count(*)::integer from signature.proofs) as proofs, (select -sum(amount)::integer from platform.credit_ledger where amount < 0) as spent",
  );
  expect(rows).toEqual([{ proofs: 5, spent: 5 }]);
});
