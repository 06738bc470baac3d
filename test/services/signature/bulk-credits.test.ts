// What a bulk with send takes: rows in their order, both balances or neither, as much as is sent. signature-service §4 (bulk rules), §7.
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aRow, aTemplate, balance, bulk, openBulkStage } from "./bulk-stage.ts";
import { ask, type EnvelopeStage } from "./envelope-stage.ts";

let selo: TestGateway;
let live: EnvelopeStage & { readonly documentId: string };
beforeAll(async () => {
  selo = await startTestGateway();
  live = await openBulkStage(selo, "live", { credits: 0 });
  // The modality is available where the deployment trusts authorities.
  await selo.operator.changeSetting("icp_brasil_roots_live", "roots");
});
afterAll(() => selo.stop());

const someone = (place: number) => ({ name: `P${place}`, email: `p${place}@example.com` });
const QUALIFIED = { modality: "qualificada" };
const grant = async (kind: string, credits: number) => {
  if (credits > 0) await selo.operator.grantCredits(live.tenantId, kind, credits);
};
const balances = async () => [await balance(live), await balance(live, "icp_brasil")] as const;
const sending = (id: string, rows: readonly object[]) =>
  bulk(live, id, { rows, document_ids: [live.documentId], send: true });

test.each([
  ["insufficient_credits", 1, 3, [0, 2]],
  ["insufficient_icp_credits", 3, 1, [2, 0]],
  ["insufficient_icp_credits", 0, 0, [0, 0]],
] as const)("%s, of %i and %i: a row takes both balances or neither", async (message, signature, icp, left) => {
  const own = await openBulkStage(selo, "live", { credits: 0 });
  for (const [kind, credits] of [
    ["signature", signature],
    ["icp_brasil", icp],
  ] as const)
    if (credits > 0) await selo.operator.grantCredits(own.tenantId, kind, credits);
  const id = await aTemplate(own, { participants: [{}, { ...QUALIFIED, ...someone(1) }] });
  const { body } = await bulk(own, id, { rows: [aRow(), aRow()], document_ids: [own.documentId], send: true });
  const sent = Math.min(signature, icp);
  expect(body.created).toHaveLength(sent);
  expect(body.errors).toEqual([0, 1].slice(sent).map((index) => ({ index, message })));
  expect([await balance(own), await balance(own, "icp_brasil")]).toEqual(left);
  expect((await ask(own, "GET", "/envelopes?limit=1")).body.total).toBe(sent);
  if (sent > 0) return;
  // As an envelope alone is told.
  const { body: draft } = await ask(own, "POST", `/templates/${id}/apply`, aRow());
  await ask(own, "POST", `/envelopes/${draft.id}/documents`, { document_id: own.documentId });
  expect((await ask(own, "POST", `/envelopes/${draft.id}/send`)).body.detail.code).toBe(message);
});

test("any rows and any balances: credits taken equal envelopes sent", async () => {
  const kinds = fc.constantFrom("right", "missing", "wrong", "surplus");
  const rowOf = { right: aRow(), missing: {}, wrong: aRow({ email: "x" }), surplus: aRow({ order_index: 999 }) };
  const ledger = async () => {
    const { rows } = await selo.database.admin.query<{ kind: string; envelopes: number; spent: number }>(
      `select kind, count(distinct subject_id)::integer as envelopes, -sum(amount)::integer as spent from platform.credit_ledger
       where tenant_id = $1 and amount < 0 group by kind`,
      [live.tenantId],
    );
    return (kind: string) => rows.find((row) => row.kind === kind) ?? { envelopes: 0, spent: 0 };
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(kinds, { minLength: 1, maxLength: 8 }),
      fc.record({ signers: fc.nat(2), qualified: fc.nat(2) }),
      fc.record({ signature: fc.nat(6), icp_brasil: fc.nat(6) }),
      async (rows, { signers, qualified }, granted) => {
        // The placeholder signs nothing of its own: an aprovador costs nothing, unless the only signatario is qualified.
        const id = await aTemplate(live, {
          participants: [
            signers + qualified === 0 ? {} : { role: "aprovador" },
            ...Array.from({ length: signers }, (_, place) => someone(place)),
            ...Array.from({ length: qualified }, (_, place) => ({ ...QUALIFIED, ...someone(10 + place) })),
          ],
        });
        const cost = [signers + qualified === 0 ? 1 : signers, qualified] as const;
        for (const [kind, credits] of Object.entries(granted)) await grant(kind, credits);
        const [before, spentBefore] = [await balances(), await ledger()];
        const { body } = await sending(
          id,
          rows.map((kind) => rowOf[kind]),
        );
        const right = rows.flatMap((kind, index) => (kind === "right" ? [index] : []));
        const reach = cost.map((each, kind) => (each === 0 ? right.length : Math.floor((before[kind] ?? 0) / each)));
        const paid = Math.min(right.length, ...reach);
        expect(body.created).toHaveLength(paid);
        const unpaid = body.errors.filter(({ message }: { message: string }) => /^insufficient_/.test(message));
        expect(unpaid.map(({ index }: { index: number }) => index)).toEqual(right.slice(paid));
        expect(body.created.length + body.errors.length).toBe(rows.length);
        expect(await balances()).toEqual(before.map((each, kind) => each - paid * (cost[kind] ?? 0)));
        const spentAfter = await ledger();
        for (const [place, kind] of ["signature", "icp_brasil"].entries()) {
          const each = cost[place] ?? 0;
          const [was, is] = [spentBefore(kind), spentAfter(kind)];
          expect([is.envelopes - was.envelopes, is.spent - was.spent]).toEqual([each === 0 ? 0 : paid, paid * each]);
        }
      },
    ),
    { numRuns: 25 },
  );
  const { faults } = await verifyAll(selo.operator);
  // This file has changed reference data, and its documents come from no upload.
  const own = faults.filter((each) => each.check_name !== "reference_data" && each.subject_type !== "document");
  expect(own).toEqual([]);
});

test.each([
  [0, 1],
  [2, 3],
  [3, 3],
])(
  "others who spend meanwhile, at %i tries: everything of a try is undone, and the rows are judged anew at most three times",
  async (refusals, tries) => {
    await grant("signature", 10);
    const id = await aTemplate(live);
    const before = (await ask(live, "GET", "/envelopes?limit=1")).body.total;
    const client = new pg.Client({ connectionString: selo.database.adminUrl });
    await client.connect();
    let tried = 0;
    client.on("notice", ({ message }) => void (message === "tried" && tried++));
    try {
      // A sequence goes on when its transaction is undone.
      await client.query("create temporary sequence tries; grant usage on sequence tries to public; begin");
      await client.query(
        `create or replace function platform.spend_credits(p_kind text, p_each bigint, p_reason text, p_subject_ids uuid[]) returns void
         language plpgsql volatile as $$ begin
           raise notice 'tried';
           if nextval('pg_temp.tries') <= ${refusals} then perform platform.fail(402, 'insufficient_credits', 'Others were faster.'); end if;
         end $$`,
      );
      const answer = client.query<{ body: string }>(
        "select body from gateway.call(sha256(convert_to($1, 'UTF8')), 'apply_template_in_bulk', $2)",
        [live.token, { id, rows: [aRow(), aRow()], document_ids: [live.documentId], send: true }],
      );
      if (refusals === 3) await expect(answer).rejects.toMatchObject({ code: "PT503" });
      else {
        const { created } = JSON.parse((await answer).rows[0]?.body ?? "null").answer;
        expect(created).toHaveLength(2);
        const { rows } = await client.query(
          `select (select count(*)::integer from signature.envelopes where template_id = $1) as envelopes,
           (select count(*)::integer from platform.audit_events where subject_id = any ($2)) as events,
           (select count(*)::integer from platform.mails where envelope_id = any ($2)) as mails`,
          [id, created],
        );
        expect(rows).toEqual([{ envelopes: 2, events: 6, mails: 2 }]);
      }
      expect(tried).toBe(tries);
    } finally {
      await client.query("rollback");
      await client.end();
    }
    expect((await ask(live, "GET", "/envelopes?limit=1")).body.total).toBe(before);
  },
);
