// Mails of invoicing: a certificate that ends, and a transmission that is tried no more.
import { afterAll, beforeAll, expect, test } from "vitest";
import { warnOfCertificates } from "../../../workers/invoicing/warn-of-certificates.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { taskContext } from "../../support/worker.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
/** With a contact, who hears what owners would hear. */
let token: string;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  token = (await stage.selo.newOrganization({ name: "Aurora", email: "contato@example.org" })).live;
  live = await stage.ready(token);
});
afterAll(() => stage?.close());

const mails = async (kind: string) => {
  const { rows } = await stage.selo.database.admin.query<{ data: Record<string, unknown> }>(
    "select data from platform.mails where kind = $1 order by id",
    [kind],
  );
  return rows.map(({ data }) => data);
};
const warn = () => warnOfCertificates({}, { ...taskContext(stage.selo.database.admin, masterKeys), jobs: stage.jobs });
/** The certificate ends after so many days. */
const endsIn = (days: number) =>
  stage.selo.database.admin.query(
    `update invoicing.issuers set certificate = certificate || jsonb_build_object('not_after', platform.wire_instant(now() + $1 * interval '24 hours'))`,
    [days],
  );

test("the owners hear of the end of a certificate 30, 7 and 1 days before, once each", async () => {
  const counts: [number, number][] = [];
  const after = async (days: number) => {
    await endsIn(days);
    await warn();
    await warn();
    counts.push([days, (await mails("invoice_certificate_ends")).length]);
  };
  for (const days of [30.01, 29.99, 7.01, 6.99, 1.01, 0.99, 0.01, -0.01]) await after(days);
  expect(counts).toEqual([
    [30.01, 0],
    [29.99, 1],
    [7.01, 1],
    [6.99, 2],
    [1.01, 2],
    [0.99, 3],
    [0.01, 3],
    [-0.01, 3],
  ]);
  expect((await mails("invoice_certificate_ends"))[0]).toMatchObject({
    issuer_id: live.issuer.id,
    name: live.issuer.name,
    cnpj: live.issuer.cnpj,
  });
});

test("a new certificate is warned of anew, an archived issuer never, and a worker that was away says the nearest day alone", async () => {
  const before = (await mails("invoice_certificate_ends")).length;
  const { p12 } = await stage.simulator.makeA1({
    cnpj: live.issuer.cnpj,
    name: "Oficina de Software",
    password: "novo",
  });
  expect((await stage.certify(token, live.issuer.id, p12, "novo")).status).toBe(200);
  await warn();
  expect(await mails("invoice_certificate_ends")).toHaveLength(before);
  await endsIn(0.5);
  await warn();
  expect(await mails("invoice_certificate_ends")).toHaveLength(before + 1);
  expect((await stage.certify(token, live.issuer.id, p12, "novo")).status).toBe(200);
  await live.ask("POST", `/issuers/${live.issuer.id}/archive`);
  await endsIn(5);
  await warn();
  expect(await mails("invoice_certificate_ends")).toHaveLength(before + 1);
});

test.each([
  ["an invoice", false],
  ["a cancellation", true],
])("the owners hear of %s that nobody answered for five days, once", async (_, isCancellation) => {
  const issuer = await live.addIssuer({ series: isCancellation ? "3" : "2" });
  const { p12 } = await stage.simulator.makeA1({ cnpj: issuer.cnpj, name: "Oficina de Software", password: "x" });
  await stage.certify(token, issuer.id, p12, "x");
  const invoice = await live.emit({ issuer_id: issuer.id });
  if (isCancellation) {
    await stage.work();
    const reason = { reason_code: "2", reason: "O serviço não foi prestado." };
    await live.ask("POST", `/invoices/${invoice.id}/cancel`, reason);
  }
  const before = (await mails("invoice_unanswered")).length;
  const fail = async () => {
    stage.simulator.setScenario({ next: [{ kind: "error_before", on: "any" }] });
    await stage.comeDue();
    expect(await stage.work()).toBe(1);
  };
  await fail();
  await fail();
  expect(await mails("invoice_unanswered")).toHaveLength(before);
  await stage.selo.database.admin.query(
    "update invoicing.transmissions set first_failed_at = now() - interval '5 days' where invoice_id = $1",
    [invoice.id],
  );
  await fail();
  expect((await mails("invoice_unanswered")).slice(before)).toEqual([
    expect.objectContaining({ invoice_id: invoice.id, is_cancellation: isCancellation, number: "1" }),
  ]);
  const read = await live.read(invoice.id);
  expect(read).toMatchObject({ status: isCancellation ? "canceling" : "failed", next_attempt_at: null });
  await stage.comeDue();
  expect(await stage.work()).toBe(0);
});
