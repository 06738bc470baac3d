// /dev/inbox: SMS stand beside mails. Those of live come to a service on this machine, as they would to the operator's.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { HttpSmsSender } from "../../src/adapters/sms/http-sms-sender.ts";
import { keepTestSms } from "../../src/surfaces/dev-inbox/keep-test-mail.ts";
import { type SmsCatcher, startSmsCatcher } from "../../src/surfaces/dev-inbox/sms-catcher.ts";
import { InboxStage } from "../support/inbox-stage.ts";

let stage: InboxStage;
let catcher: SmsCatcher;
beforeAll(async () => {
  stage = await InboxStage.open();
  catcher = await startSmsCatcher(stage.inbox);
});
afterAll(async () => {
  await catcher?.close();
  await stage?.close();
});
beforeEach(() => stage.empty());

const page = async (id = "") => (await stage.get(`/dev/inbox${id}`)).text();
const message = () => ({
  id: randomUUID(),
  to: "+5511987654321",
  text: "481907 é o seu codigo para o documento de <b>Acme</b>.\n\n@selo.example #481907",
});

test("what is posted stands there once, with number and text, and is not marked", async () => {
  const sender = new HttpSmsSender(catcher);
  const sms = message();
  await sender.send(sms);
  await sender.send(sms);
  await sender.close();
  const [kept, ...more] = stage.inbox.list();
  expect(more).toEqual([]);
  const list = await page();
  expect(list).toContain("481907 é o seu codigo para o documento de &lt;b&gt;Acme&lt;/b&gt;.");
  expect(list).toContain("to +5511987654321 by SMS");
  expect(list).not.toContain("not sent</span>");
  const shown = await page(`/${kept?.id}`);
  expect(shown).toContain("@selo.example #481907");
  expect(shown).not.toContain("<iframe");
});

test("an SMS of test stands there, marked; kept again, it stands there once", async () => {
  const sms = { ...message(), date: new Date("2026-11-21T22:23:45Z") };
  await keepTestSms(stage.selo.config, sms);
  await keepTestSms(stage.selo.config, sms);
  expect(stage.inbox.list()).toHaveLength(1);
  expect(await page()).toContain("Test SMS, not sent");
});

test.each([
  ["without the token", 401, {}, {}],
  ["by GET", 401, { method: "GET" }, {}],
  ["what is no JSON", 400, { body: "x" }, { authorization: true }],
  [
    "a text of two messages",
    400,
    { body: JSON.stringify({ ...message(), text: "x".repeat(161) }) },
    { authorization: true },
  ],
  ["more than it takes", 400, { body: " ".repeat(70_000) }, { authorization: true }],
])(
  "it refuses what comes %s",
  async (_name, status, request: RequestInit, { authorization = false }: { authorization?: boolean }) => {
    const response = await fetch(catcher.url, {
      method: "POST",
      ...request,
      headers: authorization ? { authorization: `Bearer ${catcher.token}` } : {},
    });
    expect(response.status).toBe(status);
    expect(stage.inbox.list()).toEqual([]);
  },
);
