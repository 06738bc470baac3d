// Bulks at the same time as others, and as what takes their ground away: nobody overdraws, nothing is half made, nobody waits for ever.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aRow, aTemplate, balance, bulk, openBulkStage } from "./bulk-stage.ts";
import { aDocument, ask, type EnvelopeStage, read } from "./envelope-stage.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const RUNS = 50;
const CONNECTIONS = 8;

test("eight bulks at once for the last credits, fifty times: what is paid is sent, nothing else, and none waits for another for ever", async () => {
  const live = await openBulkStage(selo, "live", { credits: 0 });
  const id = await aTemplate(live);
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new pg.Client({ connectionString: selo.database.adminUrl }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const given = { id, rows: [aRow(), aRow()], document_ids: [live.documentId], send: true };
  try {
    let sent = 0;
    for (let run = 0; run < RUNS; run++) {
      // From enough for none to enough for all.
      const granted = run % (2 * CONNECTIONS + 1);
      if (granted > 0) await selo.operator.grantCredits(live.tenantId, "signature", granted);
      const answers = await Promise.all(
        clients.map(async (client) => {
          try {
            const { rows } = await client.query<{ body: string }>(
              "select body from gateway.call(sha256(convert_to($1, 'UTF8')), 'apply_template_in_bulk', $2)",
              [live.token, given],
            );
            return JSON.parse(rows[0]?.body ?? "null").answer as { created: string[]; errors: { message: string }[] };
          } catch (error) {
            // Others spent at each of its tries: nothing of it is left.
            expect(error).toMatchObject({ code: "PT503" });
            return { created: [], errors: [] };
          }
        }),
      );
      for (const { errors } of answers) for (const { message } of errors) expect(message).toBe("insufficient_credits");
      const created = answers.reduce((sum, answer) => sum + answer.created.length, 0);
      sent += created;
      const left = await balance(live);
      expect(left).toBeGreaterThanOrEqual(0);
      const total = (await ask(live, "GET", "/envelopes?limit=1&status=sent")).body.total;
      expect(total).toBe(sent);
      // Unless a bulk gave up, no credit is left while a row went without.
      if (answers.every(({ errors, created: made }) => errors.length + made.length === 2))
        expect(created).toBe(Math.min(2 * CONNECTIONS, created + left));
    }
    await verifyAll(selo.operator);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

describe("a bulk at the same time as", () => {
  interface Ground {
    readonly stage: EnvelopeStage & { readonly documentId: string };
    readonly id: string;
  }
  const ground = async (): Promise<Ground> => {
    const stage = await openBulkStage(selo);
    return { stage, id: await aTemplate(stage, { message: "Old" }) };
  };
  const others: readonly [string, (ground: Ground) => Promise<unknown>, readonly number[]][] = [
    [
      "a change of the template",
      ({ stage, id }) => ask(stage, "PATCH", `/templates/${id}`, { message: "New", title: "New" }),
      [200],
    ],
    ["the end of the template", ({ stage, id }) => ask(stage, "DELETE", `/templates/${id}`), [200, 404]],
    ["the end of its document", ({ stage }) => ask(stage, "DELETE", `/documents/${stage.documentId}`), [200, 422]],
    [
      "a change of the plan",
      ({ stage }) =>
        selo.database.admin.query("update platform.organizations set plan = 'free' where id = $1", [stage.tenantId]),
      [200, 403],
    ],
  ];
  test.each(others)("%s is as if one came after the other", async (_, other, statuses) => {
    for (let run = 0; run < 4; run++) {
      const on = await ground();
      const rows = [aRow(), aRow(), aRow()];
      const ask = () => bulk(on.stage, on.id, { rows, document_ids: [on.stage.documentId], send: run % 2 === 0 });
      const [answer] = await Promise.all(run < 2 ? [ask(), other(on)] : [other(on).then(ask), null]);
      expect(statuses).toContain(answer.status);
      if (answer.status !== 200) continue;
      const made = await Promise.all(answer.body.created.map((id: string) => read(on.stage, id)));
      expect(made).toHaveLength(3);
      // All of one template, before its change or after.
      expect(new Set(made.map(({ message, title }) => `${title} ${message}`)).size).toBe(1);
      for (const { documents } of made) expect(documents).toHaveLength(1);
    }
  });
});

test("bulks of two organizations with equal documents do not wait for each other", async () => {
  const [one, other] = [await openBulkStage(selo), await openBulkStage(selo)];
  const body = { rows: [aRow()], document_ids: [one.documentId, await aDocument(one)], send: true };
  const turned = { ...body, document_ids: body.document_ids.toReversed() };
  const id = await aTemplate(one);
  const otherId = await aTemplate(other);
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => bulk(one, id, body)),
    ...Array.from({ length: 4 }, () => bulk(one, id, turned)),
    bulk(other, otherId, { ...body, document_ids: [other.documentId] }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
});
