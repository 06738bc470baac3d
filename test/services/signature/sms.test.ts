// auth_method otp_sms from send to report: the code comes by SMS, and the message takes the way of mails. Signature-service §2, issue "Signature in depth" §2.
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLogger } from "../../../src/main/log.ts";
import type { RunningWorker } from "../../../workers/main.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { SMS_TOKEN, type SmsAnswer, type SmsReceiver, startSmsReceiver } from "../../support/sms-receiver.ts";
import { startTestWorker } from "../../support/worker.ts";
import { complete, completing, evidenceOf } from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { attachedOf, byPython, proseOf, readReport, reportOf } from "./report-stage.ts";
import { inbox } from "./sending-stage.ts";
import { aCode, act, aSent, aSession, eventsOf, inContext, type Link, openedLink } from "./signing-stage.ts";

const NUMBER = "+5511987654321";
const MASK = "+55*********21";
const BY_SMS = { auth_method: "otp_sms", phone: NUMBER };
const POLL = { interval: 20, timeout: 20_000 };

let receiver: SmsReceiver;
let selo: TestGateway;
let stage: EnvelopeStage;
let live: EnvelopeStage;
let composer: Worker;
beforeAll(async () => {
  receiver = await startSmsReceiver();
  selo = await startTestGateway({ SMS_URL: receiver.url, SMS_TOKEN });
  // As `selo migrate` writes it.
  await selo.operator.changeSetting("sms_url", receiver.url);
  stage = await openStage(selo);
  live = await openStage(selo, "live");
  composer = workerOf(stage);
});
afterAll(async () => {
  await composer?.end();
  await selo?.stop();
  await receiver?.close();
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;
const send = (of: EnvelopeStage, link: Link) => act(of, link, "POST", "/code");

describe("in test", () => {
  test("the code goes to the number, which answers and rows mask; nothing is posted", async () => {
    const { link, id } = await aSent(stage, [BY_SMS]);
    expect((await act(stage, link, "GET")).body).toMatchObject({
      sent_to: MASK,
      mails_to: "m•••@e•••.com",
      steps: ["code"],
    });
    const { status, body } = await send(stage, link);
    expect([status, body.sent_to, body.tries_left, body.sends_left]).toEqual([202, MASK, 5, 4]);
    const [before] = await admin("select * from platform.mails where participant_id = $1 and kind = 'signing_code'", [
      link.participantId,
    ]);
    expect(before).toMatchObject({ channel: "sms", recipient: MASK, is_withheld: true });
    expect(JSON.stringify(before)).not.toContain(NUMBER.slice(4));
    await composeAll(stage, composer);
    const [sms] = (await inbox(stage, id)).filter(({ kind }) => kind === "signing_code");
    const code = /^\d{6}/.exec(sms?.text ?? "")?.[0];
    expect(sms).toEqual({
      id: expect.any(String),
      kind: "signing_code",
      envelope_id: id,
      participant_id: link.participantId,
      recipient: MASK,
      subject: null,
      text: `${code} is your code for the document of Test Organization. Good until ${clockOf(body.expires_at)} UTC. Share it with nobody.\n\n@selo.test #${code}`,
      html: null,
      link: null,
      code,
      created_at: expect.any(String),
    });
    const found = await ask(stage, "GET", `/test-inbox?recipient=${encodeURIComponent(MASK)}&envelope_id=${id}`);
    expect(found.body.items).toMatchObject([{ id: sms?.id }]);
    expect(receiver.posts).toEqual([]);
    expect((await act(stage, link, "POST", "/session", { body: { code } })).status).toBe(200);
    expect(JSON.parse((await eventsOf(stage, id)).at(-1)?.details ?? "")).toMatchObject({ method: "otp_sms" });
  });

  const clockOf = (instant: string) => instant.slice(11, 16);

  test("in Portuguese, without accents that SMS lack; invitation and copy say that the code comes by SMS", async () => {
    const { link, id } = await aSent(stage, [BY_SMS], { language: "pt-BR" });
    await send(stage, link);
    await composeAll(stage, composer);
    const mails = await inbox(stage, id);
    const textOf = (kind: string) => mails.find((mail) => mail.kind === kind)?.text;
    expect(textOf("signing_code")).toMatch(/^\d{6} é o seu codigo para o documento de Test Organization\. Vale até /);
    expect(textOf("envelope_invitation")).toContain("você recebe um código por SMS");
  });

  test("is sent from any organization to its own participants: another one's test inbox and link show nothing", async () => {
    const other = await openStage(selo);
    const { link, id } = await aSent(stage, [BY_SMS]);
    await send(stage, link);
    await composeAll(stage, composer);
    const { body } = await ask(other, "GET", `/test-inbox?envelope_id=${id}`);
    expect(body.items).toEqual([]);
    const { link: others } = await aSent(other, [BY_SMS]);
    expectError(await act(other, { ...link, secret: others.secret }, "POST", "/code"), 404, "not_found");
  });

  test("a new link has codes again, but one turn has 20 SMS a day: 429", { timeout: 30_000 }, async () => {
    const { link, id } = await aSent(stage, [BY_SMS]);
    let now = link;
    for (let person = 0; person < 4; person += 1) {
      for (let time = 1; time <= 5; time += 1) {
        const { status, body } = await send(stage, now);
        expect([status, body.sends_left]).toEqual([202, 5 - time]);
      }
      expectError(await send(stage, now), 429, "rate_limited");
      await ask(stage, "PATCH", `/envelopes/${id}/participants/${link.participantId}`, { name: `Maria ${person}` });
      now = (await openedLink(stage, id, link.participantId)) ?? link;
    }
    const refused = await send(stage, now);
    expectError(refused, 429, "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_600);
  });

  test("all participants of an envelope have 200 SMS a day: 429", async () => {
    const { links } = await aSent(stage, [BY_SMS, { ...BY_SMS, name: "Ana" }, {}]);
    const [link, other, byMail] = links as readonly [Link, Link, Link];
    await inContext(
      stage,
      `insert into signature.signing_codes (tenant_id, id, environment, envelope_id, participant_id, link_version, expires_at, created_at)
       select tenant_id, platform.uuidv7(), environment, envelope_id, id, link_version, now(), now() - interval '2 hours'
       from signature.participants, generate_series(1, 199) where id = $1`,
      [other.participantId],
    );
    expect((await send(stage, link)).status).toBe(202);
    const refused = await send(stage, link);
    expectError(refused, 429, "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(21 * 3_600);
    // A mail costs nobody.
    expect((await send(stage, byMail)).status).toBe(202);
  });

  test("without phone the envelope is not made or sent: 422", async () => {
    const { id } = (await ask(stage, "POST", "/envelopes", { title: "Contract" })).body;
    const path = `/envelopes/${id}/participants`;
    const given = { name: "Maria", email: "maria@example.com", auth_method: "otp_sms" };
    expectError(await ask(stage, "POST", path, given), 422, "invalid_request", ["phone"]);
    expectError(await ask(stage, "POST", path, { ...given, phone: "11987654321" }), 422, "invalid_request", ["phone"]);
    const { body } = await ask(stage, "POST", path, { ...given, auth_method: "email" });
    await ask(stage, "PATCH", `${path}/${body.id}`, { phone: NUMBER, auth_method: "otp_sms" });
    expectError(await ask(stage, "PATCH", `${path}/${body.id}`, { phone: null }), 422, "invalid_request", ["phone"]);
  });

  test.each([
    [
      "en",
      /One-time code sent by SMS to the telephone number that the sender gave, typed on/,
      "One-time code sent to Maria Souza",
    ],
    [
      "pt-BR",
      /Código de uso único enviado por SMS ao celular que o remetente informou e digitado em/,
      "Código de uso único enviado a Maria Souza",
    ],
  ])(
    "record and report say how the participant was authenticated, in %s, and another program agrees",
    async (language, words, step) => {
      const { link, id, documentId } = await aSent(stage, [{ ...BY_SMS, name: "Maria Souza" }], { language });
      const session = await aSession(stage, link);
      expect((await complete(stage, link, { session, consent_version: await consentOf(link) })).status).toBe(200);
      await completing(stage, id, composer);
      const { records } = await evidenceOf(stage, id);
      expect(records[0].evidence.authentication).toEqual([
        { method: "otp_sms", at: expect.any(String), reference: expect.any(String) },
      ]);
      const report = readReport((await reportOf(stage, id)).bytes);
      expect(proseOf(report)).toMatch(words);
      expect(proseOf(report)).toContain(step);
      expect(report.text + report.evidence).not.toContain(NUMBER);
      const { body } = await ask(stage, "GET", `/documents/${documentId}/download`);
      const original = Buffer.from(
        await (await fetch(body.url.replace(selo.config.publicUrl, selo.baseUrl))).arrayBuffer(),
      );
      expect(await byPython(selo, await attachedOf(stage, id), original)).toEqual({ file: "original", faults: [] });
    },
  );

  const consentOf = async (link: Link) => (await act(stage, link, "GET")).body.consent.version;
});

describe("in live, with the real worker", () => {
  let worker: RunningWorker;
  const logs: string[] = [];
  const codes: string[] = [];
  beforeAll(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logs.push(String(chunk));
        done();
      },
    });
    worker = await startTestWorker(selo, createLogger("trace", sink));
  });
  afterAll(() => worker?.stop());
  afterEach(() => {
    receiver.posts.splice(0);
    receiver.answers.splice(0);
  });

  const mailOf = async ({ participantId }: Link) =>
    (
      await admin(
        `select mail.id, mail.sent_at, mail.failure, job.attempts from platform.mails as mail
         left join graphile_worker._private_jobs as job on job.payload ->> 'id' = mail.id::text
         where mail.participant_id = $1 and mail.kind = 'signing_code' order by mail.id desc limit 1`,
        [participantId],
      )
    )[0];
  /** Lets what waits after a failure come again at once. */
  const again = async () => {
    await admin(
      "update graphile_worker._private_jobs set run_at = now() where attempts > 0 and locked_at is null and payload ->> 'id' in (select id::text from platform.mails where channel = 'sms')",
    );
    await admin(`select pg_notify('jobs:insert', '{"r": 1, "count": 2}')`);
  };
  async function asked(...answers: SmsAnswer[]) {
    receiver.answers.push(...answers);
    const sent = await aSent(live, [BY_SMS]);
    expect((await send(live, sent.link)).body.sent_to).toBe(MASK);
    return sent;
  }
  const settled = async (link: Link) => {
    await expect
      .poll(async () => {
        await again();
        const { sent_at, failure, attempts } = await mailOf(link);
        return (sent_at !== null || failure !== null) && attempts === null;
      }, POLL)
      .toBe(true);
    return mailOf(link);
  };
  const failed = async (id: string) => (await read(live, id)).participants[0].invitation_failed;
  const codeOf = (text = "") => {
    const code = /^\d{6}/.exec(text)?.[0] ?? "";
    codes.push(code);
    return code;
  };

  test("it is posted to the number, and its code opens a session", async () => {
    const { link } = await asked();
    expect(await settled(link)).toMatchObject({ sent_at: expect.any(Date), failure: null });
    const { id } = await mailOf(link);
    expect(receiver.posts).toEqual([{ id, to: NUMBER, text: expect.stringMatching(/^\d{6} is your code .*#\d{6}$/s) }]);
    const code = codeOf(receiver.posts[0]?.text);
    expect(receiver.posts[0]?.text.endsWith(`@selo.test #${code}`)).toBe(true);
    expect((await act(live, link, "POST", "/session", { body: { code } })).status).toBe(200);
    expect(receiver.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SMS_TOKEN}`);
  });

  test.each<readonly [SmsAnswer, string]>([
    [408, "timeout"],
    [429, "limit"],
    [500, "fault"],
    [503, "outage"],
    ["hang up", "broken connection"],
    ["endless head", "endless head"],
  ])("after %s (%s) the same message comes again, with the same id, and is taken", async (answer) => {
    const { link, id } = await asked(answer);
    expect(await settled(link)).toMatchObject({ sent_at: expect.any(Date), failure: null });
    const [first, second, ...more] = receiver.posts;
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    codeOf(first?.text);
    expect(await failed(id)).toBe(false);
  });

  test.each<readonly [SmsAnswer, number]>([
    [400, 400],
    [401, 401],
    [404, 404],
    ["redirect", 307],
  ])("after %s it is given up: invitation_failed, until another SMS is taken", async (answer, status) => {
    const { link, id } = await asked(answer);
    expect(await settled(link)).toMatchObject({ sent_at: null, failure: `the SMS service answered ${status}` });
    expect(receiver.posts).toHaveLength(1);
    codeOf(receiver.posts[0]?.text);
    expect(await failed(id)).toBe(true);
    expect((await eventsOf(live, id)).at(-1)).toMatchObject({ action: "envelope.invitation_failed" });
    await send(live, link);
    await settled(link);
    codeOf(receiver.posts.at(-1)?.text);
    expect(await failed(id)).toBe(false);
  });

  test("an endless answer counts by its status", async () => {
    const { link } = await asked("endless body");
    expect(await settled(link)).toMatchObject({ sent_at: expect.any(Date) });
    expect(receiver.posts).toHaveLength(1);
  });

  test("a service that is away until the code is late: given up, invitation_failed, and no post after that", async () => {
    const { link, id } = await asked(500);
    await expect.poll(async () => (await mailOf(link)).attempts, POLL).toBeGreaterThan(0);
    await expect.poll(() => receiver.posts.length, POLL).toBe(1);
    await admin("update signature.signing_codes set expires_at = now() where participant_id = $1", [
      link.participantId,
    ]);
    expect(await settled(link)).toMatchObject({ sent_at: null, failure: "out of date" });
    expect(receiver.posts).toHaveLength(1);
    expect(await failed(id)).toBe(true);
  });

  test("a code that another one replaced is not sent, and tells nobody of a failure", async () => {
    const { link, id } = await asked(500);
    await expect.poll(() => receiver.posts.length, POLL).toBe(1);
    const first = await mailOf(link);
    await send(live, link);
    await settled(link);
    await expect
      .poll(async () => {
        await again();
        return (await admin("select failure from platform.mails where id = $1", [first.id]))[0].failure;
      }, POLL)
      .toBe("out of date");
    expect(receiver.posts.map(({ id: posted }) => posted)).toEqual([first.id, (await mailOf(link)).id]);
    expect(await failed(id)).toBe(false);
  });

  test("no log of gateway or worker has a number, a code, or what the service says", async () => {
    expect(codes.length).toBeGreaterThan(5);
    const written = logs.concat(selo.logs).join("");
    expect(written).toContain("an SMS was refused");
    for (const secret of [NUMBER.slice(1), NUMBER.slice(3), SMS_TOKEN]) expect(written).not.toContain(secret);
    for (const code of codes) expect(written).not.toMatch(new RegExp(`(?<![\\d.])${code}(?!\\d)`));
  });
});

test("live without SMS_URL: 422 auth_method_unavailable", async () => {
  await selo.operator.changeSetting("sms_url", "");
  try {
    await expect(aSent(live, [BY_SMS])).rejects.toThrow(/422.*auth_method_unavailable/s);
    await aSent(stage, [BY_SMS]);
  } finally {
    await selo.operator.changeSetting("sms_url", receiver.url);
  }
});

test("a worker without SMS_URL leaves the job for one that has it", async () => {
  const { link } = await aSent(live, [BY_SMS]);
  await send(live, link);
  const idle = await startTestWorker({ ...selo, config: { ...selo.config, sms: null } }, createLogger("silent"));
  // It does other jobs meanwhile.
  await admin("select graphile_worker.add_job('platform__sweep_request_counts')");
  await expect
    .poll(
      async () =>
        (
          await admin(
            "select from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id where identifier = 'platform__sweep_request_counts'",
          )
        ).length,
      POLL,
    )
    .toBe(0);
  await idle.stop();
  const job =
    "select attempts from graphile_worker._private_jobs where payload ->> 'id' = (select id::text from platform.mails where participant_id = $1 and channel = 'sms')";
  expect(await admin(job, [link.participantId])).toEqual([{ attempts: 0 }]);
  const worker = await startTestWorker(selo, createLogger("silent"));
  await expect.poll(() => receiver.posts.length, POLL).toBe(1);
  await worker.stop();
});

test("SMS_URL without SMS_TOKEN stops the start of a worker", async () => {
  const config = { ...selo.config, sms: { url: receiver.url, token: null } };
  await expect(startTestWorker({ ...selo, config }, createLogger("silent"))).rejects.toThrow(
    "SMS_TOKEN: must be set with SMS_URL",
  );
});

test("the code of an SMS is like that of a mail: aCode reads it", async () => {
  const { link } = await aSent(stage, [BY_SMS]);
  expect(await aCode(stage, link)).toMatch(/^\d{6}$/);
});
