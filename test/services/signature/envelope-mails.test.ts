// What the mails of an envelope are made from, and who gets them. Issue "The signer's way", §1 and §2.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MailMessage } from "../../../src/adapters/mail/mail-sender.ts";
import { mailClock, mailTime } from "../../../src/services/platform/mails/mail-time.ts";
import { sendMail } from "../../../workers/platform/send-mail.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { productMails } from "../../support/sample-mails.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { ask, type EnvelopeStage, read } from "./envelope-stage.ts";
import { act } from "./signing-stage.ts";

const CONTACT = "contact@example.org";

let selo: TestGateway;
let worker: Worker;
/** An organization with a contact, and one without. */
let told: EnvelopeStage;
let silent: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway();
  const stageOf = async (email?: string): Promise<EnvelopeStage> => {
    const { id: tenantId, live } = await selo.newOrganization(email === undefined ? {} : { email });
    return { selo, tenantId, token: live, environment: "live" };
  };
  told = await stageOf(CONTACT);
  silent = await stageOf();
  worker = workerOf(told);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

/** The mails of these kinds about an envelope, as a mail server gets them. */
async function sent({ tenantId }: EnvelopeStage, envelopeId: string, kinds: readonly string[]): Promise<MailMessage[]> {
  const mails: MailMessage[] = [];
  const task = sendMail({ send: async (mail) => void mails.push(mail) }, selo.config, productMails);
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from platform.mails where envelope_id = $1 and kind = any ($2) order by id",
    [envelopeId, kinds],
  );
  for (const { id } of rows) await task({ tenant_id: tenantId, environment: "live", id }, worker.context);
  return mails;
}

test("an invitation comes from the organization, greets by name, and is answered by the organization's contact, where it has one", async () => {
  for (const [stage, replyTo] of [
    [told, CONTACT],
    [silent, null],
  ] as const) {
    const { id } = await sentWith(stage, [{ body: { name: "Maria Souza" } }], { title: "Contract", message: "" });
    const [mail] = await sent(stage, id, ["envelope_invitation"]);
    expect(mail).toMatchObject({ senderName: expect.stringMatching(/^Test Organization.*, via Selo$/), replyTo });
    expect(mail?.text).toContain("Hello Maria Souza. A document is waiting for you");
    expect(mail?.text).toMatch(/^ {2}Document: Contract, \d+ pages?$/m);
    expect(mail?.html).not.toContain('class="quote"');
  }
});

test("a signing link tells the page of the contact, so that the page names no address that is not there", async () => {
  for (const [stage, contact] of [
    [told, CONTACT],
    [silent, null],
  ] as const) {
    const { links } = await sentWith(stage);
    expect((await act(stage, links[0], "GET")).body).toMatchObject({ contact });
  }
});

test("a completion tells the contact who acted, and the paths in the mail answer the files", async () => {
  const { id, documentId, links } = await sentWith(told, [
    { body: { name: "Maria Souza" } },
    { body: { name: "João Lima" } },
  ]);
  for (const link of links) expect((await complete(told, link)).status).toBe(200);
  await completing(told, id, worker);
  const mails = await sent(told, id, ["envelope_completed", "envelope_completion"]);
  expect(mails.map(({ recipient, replyTo }) => [recipient, replyTo])).toEqual([
    ["p0@example.com", CONTACT],
    ["p1@example.com", CONTACT],
    [CONTACT, null],
  ]);
  const { text } = mails[2] as MailMessage;
  const envelope = await read(told, id);
  expect(text).toMatch(/^The document was signed by all$/m);
  expect(text).toMatch(/^ {2}Maria Souza: signed on .*\n {2}João Lima: signed on /m);
  expect(text.split("\n")).toContain(envelope.verify_url);
  const paths = [...text.matchAll(/GET \/api\/v1(\S+?),?(?= |$)/gm)].map(([, path = ""]) => path);
  expect(paths).toEqual([`/envelopes/${id}/documents/${documentId}/download`, `/envelopes/${id}/evidence`]);
  for (const path of paths) expect((await ask(told, "GET", path)).status).toBe(200);
  expect(mails[0]?.text).toContain("everybody has signed");
  // The same time as everywhere, and not when the mail was written; the organization of the test lives in UTC.
  const completedAt = new Date(envelope.completed_at ?? "");
  expect(text).toContain(`Contract was completed on ${mailTime(completedAt, "en", "UTC")}.`);
  expect(mails[0]?.text).toContain(`Completed on: ${mailTime(completedAt, "en", "UTC")}`);
  const until = new Date(completedAt.getTime() + 90 * 86_400_000);
  expect(mails[0]?.text).toContain(`shows the copy until ${mailTime(until, "en", "UTC")}.`);
  expect(mails[0]?.text).toContain(envelope.verification_code);
});

test("the mail to a single signer does not say that all have signed, observers or not; without a contact the organization gets no mail", async () => {
  const { id, links } = await sentWith(silent, [{}, { body: { role: "observador" } }]);
  expect((await complete(silent, links[0])).status).toBe(200);
  await completing(silent, id, worker);
  const mails = await sent(silent, id, ["envelope_completed", "envelope_completion"]);
  expect(mails.map(({ recipient }) => recipient)).toEqual(["p0@example.com", "p1@example.com"]);
  for (const { text } of mails) {
    expect(text).toContain("Your copy is ready");
    expect(text).not.toMatch(/everybody/i);
  }
});

test("the mail of a code says until when the code is good", async () => {
  const { id, links } = await sentWith(told);
  const { body } = await act(told, links[0], "POST", "/code");
  const [mail] = await sent(told, id, ["signing_code"]);
  expect(mail?.text).toContain(`It is good until ${mailClock(new Date(body.expires_at), "en", "UTC")}, and only once.`);
});
