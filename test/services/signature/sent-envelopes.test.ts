// What happens to sent envelopes beside the acts of participants: mails, links, cancel, remind, deadline. signature-service §3, §4; issue §3.

import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MailError } from "../../../src/adapters/mail/mail-sender.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { signatureMetrics } from "../../../src/services/signature/metrics.ts";
import { linkDigest, signingSecret } from "../../../src/services/signature/signing/signing-link.ts";
import { mailKindsOf, sendMail } from "../../../workers/platform/send-mail.ts";
import { expireEnvelopes } from "../../../workers/signature/expire-envelopes.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { whileTampered } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { anEnvelope, aParticipant, aSendable, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent, chain, inbox, send } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let owner: ReturnType<typeof ownerPool>;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
  owner = ownerPool(selo.database);
});
afterAll(async () => {
  await worker?.end();
  await owner?.end();
  await selo?.stop();
});

const admin = async (text: string, values: unknown[] = []) => (await selo.database.admin.query(text, values)).rows;
const cancel = (id: string, body: object = {}) => ask(stage, "POST", `/envelopes/${id}/cancel`, body);
const remind = (id: string, body: object = {}) => ask(stage, "POST", `/envelopes/${id}/remind`, body);
const expire = () => expireEnvelopes(signatureMetrics([]))({}, worker.context);
const overdue = (id: string) =>
  admin("update signature.envelopes set expires_at = now() - interval '1 second' where id = $1", [id]);
const credentials = (participantId: string) =>
  admin(
    "select encode(digest, 'hex') as digest, environment, scopes_from, scopes, expires_at, revoked_at from platform.credentials where actor_id = $1 order by revoked_at nulls last",
    [participantId],
  );
/** The mails of an envelope once a worker composed them. */
const composed = async (id: string) => {
  await composeAll(stage, worker);
  return inbox(stage, id);
};
const secretOf = (link: string | null | undefined) => link?.split("#")[1] ?? "";
const asOwner = (statement: string, values: unknown[]) =>
  inContext(owner, stage.tenantId, stage.environment, (client) => client.query(statement, values));

describe("the invitation", () => {
  test("says who asks, what for, until when, and has the one link as its button", async () => {
    const { id } = await aSendable(stage, { title: "Rental contract", message: "Please sign by Friday." });
    await aParticipant(stage, id, { name: "João", email: "joao@example.com", role: "aprovador" });
    await send(stage, id);
    const [{ name: organization }] = (await admin("select name from platform.organizations where id = $1", [
      stage.tenantId,
    ])) as [{ name: string }];
    const mails = await composed(id);
    expect(mails.map(({ kind, recipient, subject }) => ({ kind, recipient, subject }))).toEqual([
      {
        kind: "envelope_invitation",
        recipient: "maria@example.com",
        subject: `[test] ${organization} asks for your signature: Rental contract`,
      },
      {
        kind: "envelope_invitation",
        recipient: "joao@example.com",
        subject: `[test] ${organization} asks for your approval: Rental contract`,
      },
    ]);
    for (const { text, html, link } of mails) {
      expect(text).toContain(`> Please sign by Friday.\nMessage written by ${organization}\n`);
      expect(text).toMatch(/Until: .*\d{4}/);
      expect(text).toContain(`because ${organization} gave us your address`);
      expect(text).not.toContain("as its contact");
      expect(html.split(`href="${link}"`)).toHaveLength(2);
    }
  });

  test.each([
    ["pt-BR", "pede a sua assinatura"],
    ["pt-PT", "pede a sua assinatura"],
    ["en-GB", "asks for your signature"],
    ["fr", "asks for your signature"],
  ])("is in the language of the envelope, %s, or the nearest", async (language, words) => {
    const { id } = await aSent(stage, { language });
    expect((await composed(id))[0]?.subject).toContain(words);
  });

  test("is in the language of the organization where the envelope has none", async () => {
    const organization = await selo.newOrganization({ language: "pt-BR" });
    const own: EnvelopeStage = { selo, tenantId: organization.id, token: organization.test, environment: "test" };
    const { id } = await aSent(own);
    await composeAll(own, worker);
    expect((await inbox(own, id))[0]?.subject).toContain("pede a sua assinatura");
  });

  test("names that others chose cannot add a line or turn the writing", async () => {
    const { id } = await aSendable(stage);
    // A title from before such characters were refused.
    await asOwner("update signature.envelopes set title = $2 where id = $1", [id, "A\u202eB <b>&"]);
    await send(stage, id);
    const [mail] = await composed(id);
    expect(mail?.subject).toContain("AB <b>&");
    expect(mail?.html).toContain("AB &lt;b&gt;&amp;");
  });
});

describe("the link", () => {
  test("is the HMAC under the data key, and its digest is a credential of the participant that may only sign", async () => {
    const { id, participantId } = await aSent(stage);
    expect(await credentials(participantId)).toEqual([]);
    const [mail] = await composed(id);
    const key = await new DataKeys(masterKeys).ofEnvironment(worker.context.jobs, stage);
    const secret = secretOf(mail?.link);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(secret).toBe(key?.derive("signing-link", `${participantId}:1`).toString("base64url"));
    expect(mail?.link).toBe(`http://selo.test/sign/${participantId}#${secret}`);
    const once = createHash("sha256").update(secret).digest();
    expect(await credentials(participantId)).toEqual([
      {
        digest: createHash("sha256").update(once).digest("hex"),
        environment: "test",
        scopes_from: "credential",
        scopes: ["signing:act"],
        expires_at: null,
        revoked_at: null,
      },
    ]);
    const [found] = await admin("select kind, actor_id, scopes from platform.find_credential($1)", [once]);
    expect(found).toEqual({ kind: "participant", actor_id: participantId, scopes: ["signing:act"] });
    expect(await chain(stage, participantId)).toEqual(["participant.link_made"]);
  });

  test("is in no row, job, event or log before it is composed", async () => {
    const { id, participantId } = await aSent(stage);
    const key = await new DataKeys(masterKeys).ofEnvironmentOrNew(worker.context.jobs, stage);
    const secret = signingSecret(key, { participant_id: participantId, link_version: 1 });
    const [mail] = await admin("select data::text from platform.mails where envelope_id = $1", [id]);
    const jobs = await admin("select payload::text from graphile_worker._private_jobs");
    expect(JSON.stringify([mail, jobs, selo.logs])).not.toContain(secret);
    expect(JSON.stringify(jobs)).not.toMatch(/Maria|maria@/);
  });

  test("composed twice is the same link, one credential and one event", async () => {
    const { id, participantId } = await aSent(stage);
    const [first] = await composed(id);
    await admin(
      "update platform.mails set composed_at = null, subject = null, text = null, html = null, link = null where envelope_id = $1",
      [id],
    );
    const [second] = await composed(id);
    expect(second).toEqual(first);
    expect(await credentials(participantId)).toHaveLength(1);
    expect(await chain(stage, participantId)).toEqual(["participant.link_made"]);
  });

  test("of an envelope that ended before the mail was composed stays closed, and the mail is given up", async () => {
    const { id, participantId } = await aSent(stage);
    await cancel(id);
    const mails = await composed(id);
    expect(mails.map(({ kind }) => kind)).toEqual(["envelope_ended"]);
    expect(await credentials(participantId)).toEqual([]);
    const given = await admin(
      "select failure from platform.mails where envelope_id = $1 and kind = 'envelope_invitation'",
      [id],
    );
    expect(given).toEqual([{ failure: "out of date" }]);
  });

  test.each([
    ["another version", { link_version: 2 }],
    ["an unknown participant", { participant_id: "0197a0c0-0000-7000-8000-0000000000f1" }],
  ])("is not bound for %s", async (_name, wrong) => {
    const { participantId } = await aSent(stage);
    const digest = linkDigest("secret").toString("hex");
    const asked = { participant_id: participantId, link_version: 1, digest, ...wrong };
    expect(await worker.context.jobs.call(stage, "bind_signing_link", asked)).toBeNull();
    const other = await openStage(selo);
    const own = { participant_id: participantId, link_version: 1, digest };
    expect(await worker.context.jobs.call(other, "bind_signing_link", own)).toBeNull();
    expect(await credentials(participantId)).toEqual([]);
  });

  test("an organization without a data key gets one from the job, and two jobs at once the same", async () => {
    const other = await openStage(selo);
    await aSent(other);
    const keys = await Promise.all(
      [1, 2, 3].map(() => new DataKeys(masterKeys).ofEnvironmentOrNew(worker.context.jobs, other)),
    );
    const id = { participant_id: other.tenantId, link_version: 1 };
    expect(new Set(keys.map((key) => signingSecret(key, id))).size).toBe(1);
  });

  test("an edit of its credential is found by selo audit verify", async () => {
    const { id, participantId } = await aSent(stage);
    await composed(id);
    const faults = async () =>
      (await verifyAll(selo.operator)).faults.filter(({ subject_id }) => subject_id === participantId);
    expect(await faults()).toEqual([]);
    for (const edit of [
      "delete from platform.credentials where actor_id = $1",
      "update platform.credentials set digest = sha256('x') where actor_id = $1",
      "update platform.credentials set revoked_at = now() where actor_id = $1",
      "update platform.credentials set expires_at = now() where actor_id = $1",
      "update platform.credentials set scopes = '{envelopes:read}' where actor_id = $1",
      "update platform.credentials set environment = 'live' where actor_id = $1",
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes) select sha256('y'), kind, tenant_id, environment, actor_id, scopes_from, scopes from platform.credentials where actor_id = $1",
    ])
      expect(
        await whileTampered(selo.database, ["platform.credentials"], [[edit, [participantId]]], faults),
        edit,
      ).not.toEqual([]);
  });
});

describe("an invitation that cannot be delivered", () => {
  /** A live envelope whose mail is sent by this sender. */
  async function invited(failure: MailError | null, isLastAttempt = false) {
    const live = await openStage(selo, "live");
    const { id, participantId } = await aSent(live);
    const kinds = await mailKindsOf(selo.services);
    const [mail] = (await admin("select id from platform.mails where envelope_id = $1", [id])) as [{ id: string }];
    const run = (error: MailError | null, last = isLastAttempt) =>
      sendMail(
        {
          send: async () => {
            if (error !== null) throw error;
          },
        },
        selo.config,
        kinds,
      )({ tenant_id: live.tenantId, environment: "live", id: mail.id }, { ...worker.context, isLastAttempt: last });
    await run(failure).catch(() => {});
    const failed = async () => (await read(live, id)).participants[0].invitation_failed;
    return { live, id, participantId, run, failed };
  }
  const temporary = new MailError("451 later", false);
  const permanent = new MailError("550 unknown", true);

  test("because it was refused for good: invitation_failed, with an event", async () => {
    const { live, id, failed } = await invited(permanent);
    expect(await failed()).toBe(true);
    expect((await chain(live, id)).at(-1)).toBe("envelope.invitation_failed");
  });

  test("is not told while an attempt follows; after the last attempt it is; a retry that succeeds takes it back", async () => {
    const { live, id, run, failed } = await invited(temporary);
    expect(await failed()).toBe(false);
    await run(temporary, true).catch(() => {});
    expect(await failed()).toBe(true);
    await run(null);
    expect(await failed()).toBe(false);
    expect((await chain(live, id)).slice(-2)).toEqual(["envelope.invitation_failed", "envelope.invitation_delivered"]);
  });

  test("of an earlier link, or of an envelope that ended, changes nothing", async () => {
    const { live, id, run, failed } = await invited(temporary);
    await ask(live, "POST", `/envelopes/${id}/cancel`, {});
    await run(permanent, true).catch(() => {});
    expect([await failed(), (await chain(live, id)).at(-1)]).toEqual([false, "envelope.cancelled"]);
  });
});

describe("in progress, POST cancel, scope envelopes:cancel: cancelled", () => {
  test("with its reason; participants who were invited get a mail that says so, the others none", async () => {
    const { id } = await aSendable(stage, { signing_order: "sequential", title: "Lease" });
    await aParticipant(stage, id, { email: "later@example.com" });
    await send(stage, id);
    await composed(id);
    const { status, body } = await cancel(id, { reason: "The rent has changed." });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: "cancelled", cancel_reason: "The rent has changed." },
    });
    const mails = (await composed(id)).filter(({ kind }) => kind === "envelope_ended");
    expect(mails.map(({ recipient }) => recipient)).toEqual(["maria@example.com"]);
    expect(mails[0]?.text).toContain("The rent has changed.");
    expect(mails[0]?.text).toContain("was cancelled by its sender");
    expect((await chain(stage, id)).at(-1)).toBe("envelope.cancelled");
    const events = await admin(
      "select body::json ->> 'type' as type from webhooks.events where body::json ->> 'resource_id' = $1 order by id",
      [id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      "envelope.sent",
      "envelope.participant_invited",
      "envelope.cancelled",
    ]);
  });

  test.each([
    [1000, 200],
    [1001, 422],
  ])("a reason of %d characters is answered %d", async (length, status) => {
    const { id } = await aSent(stage);
    expect((await cancel(id, { reason: "é".repeat(length) })).status).toBe(status);
  });

  test("without a reason, and then never again", async () => {
    const { id } = await aSent(stage);
    expect((await cancel(id)).body).toMatchObject({ status: "cancelled", cancel_reason: null });
    expectError(await cancel(id), 409, "conflict");
    expectError(await send(stage, id), 409, "conflict");
    expectError(await remind(id), 409, "conflict");
  });

  test("without a body, as reminders", async () => {
    const { id } = await aSent(stage);
    const bare = (path: string) => call(selo, "POST", `/envelopes/${id}/${path}`, { token: stage.token });
    expect((await bare("remind")).status).toBe(202);
    expect(await bare("cancel")).toMatchObject({ status: 200, body: { status: "cancelled", cancel_reason: null } });
  });

  test("drafts are 409, sendable or not", async () => {
    const { id } = await anEnvelope(stage);
    expectError(await cancel(id), 409, "conflict");
    expectError(await cancel((await aSendable(stage)).id), 409, "conflict");
  });

  test("is 409 once every required participant has finished", async () => {
    const { id } = await aSent(stage);
    await admin("update signature.envelopes set sealing_since = now() where id = $1", [id]);
    expectError(await cancel(id), 409, "conflict");
    expectError(await remind(id), 409, "conflict");
    await admin("update signature.envelopes set sealing_since = null where id = $1", [id]);
  });

  test("at the same time as another cancel and a send: each envelope ends once", async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await aSendable(stage);
      const [sent, ...cancelled] = await Promise.all([send(stage, id), cancel(id), cancel(id)]);
      expect(sent?.status).toBe(200);
      expect(cancelled.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      const ends = (await chain(stage, id)).filter((action) => action === "envelope.cancelled").length;
      expect(ends).toBe(cancelled.filter(({ status }) => status === 200).length);
    }
  });
});

describe("POST /envelopes/{id}/remind, scope envelopes:send", () => {
  /** A code and a session of a participant. */
  async function signedIn(id: string, participantId: string) {
    const code = randomUUID();
    await asOwner(
      "insert into signature.signing_codes (tenant_id, id, environment, envelope_id, participant_id, link_version, enciphered_code, expires_at) values ($1, $2, 'test', $3, $4, 1, 'x', now() + interval '10 minutes')",
      [stage.tenantId, code, id, participantId],
    );
    await asOwner(
      "insert into signature.signing_sessions (tenant_id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at) values ($1, 'test', $3, $4, 1, sha256(convert_to($5, 'UTF8')), $2, now() + interval '1 hour')",
      [stage.tenantId, code, id, participantId, code],
    );
    const sessions = () =>
      admin("select id from signature.signing_sessions where participant_id = $1", [participantId]);
    return { code, sessions };
  }

  test("mails the same link again, and ends no link, code or session", async () => {
    const { id, participantId } = await aSent(stage);
    const [invitation] = await composed(id);
    const [made] = await credentials(participantId);
    const { code, sessions } = await signedIn(id, participantId);
    // As where the first mail could not be delivered.
    await asOwner("update signature.participants set invitation_failed = true where id = $1", [participantId]);
    expect((await remind(id)).status).toBe(202);
    const [, reminder] = await composed(id);
    expect(reminder).toMatchObject({ kind: "envelope_reminder", link: invitation?.link });
    expect(await credentials(participantId)).toEqual([made]);
    expect(await sessions()).toHaveLength(1);
    expect(
      await admin("select enciphered_code is not null as kept from signature.signing_codes where id = $1", [code]),
    ).toEqual([{ kept: true }]);
    expect((await read(stage, id)).participants).toMatchObject([{ status: "invited", invitation_failed: false }]);
    expect(await chain(stage, participantId)).toEqual(["participant.link_made"]);
  });

  test.each([
    ["with new_link", { new_link: true }, false],
    ["of a locked link", {}, true],
  ])("%s makes a new link: the link before it, its codes and its sessions end", async (_what, body, locked) => {
    const { id, participantId } = await aSent(stage);
    const [invitation] = await composed(id);
    const { code, sessions } = await signedIn(id, participantId);
    await asOwner("update signature.participants set locked = $2 where id = $1", [participantId, locked]);
    const answer = await remind(id, body);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 202,
      body: { reminded: [participantId], skipped: [] },
    });
    expect(await credentials(participantId)).toMatchObject([{ revoked_at: expect.any(Date) }]);
    expect(await sessions()).toEqual([]);
    expect(await admin("select enciphered_code from signature.signing_codes where id = $1", [code])).toEqual([
      { enciphered_code: null },
    ]);
    expect((await read(stage, id)).participants).toMatchObject([{ status: "invited", locked: false }]);
    const [, reminder] = await composed(id);
    expect(reminder).toMatchObject({ kind: "envelope_reminder", subject: "[test] Reminder: Contract" });
    expect(secretOf(reminder?.link)).toMatch(/^[\w-]{43}$/);
    expect(secretOf(reminder?.link)).not.toBe(secretOf(invitation?.link));
    const [old, young] = await credentials(participantId);
    expect(old).toMatchObject({
      digest: linkDigest(secretOf(invitation?.link)).toString("hex"),
      revoked_at: expect.any(Date),
    });
    expect(young).toMatchObject({ digest: linkDigest(secretOf(reminder?.link)).toString("hex"), revoked_at: null });
    expect((await chain(stage, id)).at(-1)).toBe("envelope.participant_reminded");
    expect(await chain(stage, participantId)).toEqual([
      "participant.link_made",
      "participant.link_revoked",
      "participant.link_renewed",
    ]);
  });

  test("an invitation that was not composed before the reminder has the same link; before a new link it is out of date", async () => {
    const { id } = await aSent(stage);
    await remind(id);
    const [first, second] = await composed(id);
    expect([first?.kind, second?.kind].toSorted()).toEqual(["envelope_invitation", "envelope_reminder"]);
    expect(first?.link).toBe(second?.link);
    const other = await aSent(stage);
    await remind(other.id, { new_link: true });
    expect((await composed(other.id)).map(({ kind }) => kind)).toEqual(["envelope_reminder"]);
  });

  test("once an hour each: recently_reminded", async () => {
    const { id, participantId } = await aSent(stage);
    expect((await remind(id, { participant_id: participantId })).status).toBe(202);
    const again = await remind(id);
    expectError(again, 409, "conflict");
    expect(again.body.detail.message).toBe("Nobody was reminded: recently_reminded.");
    await admin("update signature.participants set reminded_at = reminded_at - interval '1 hour' where id = $1", [
      participantId,
    ]);
    expect((await remind(id)).status).toBe(202);
  });

  test("a new link once an hour as well, just after a reminder, too", async () => {
    const { id, participantId } = await aSent(stage);
    expect((await remind(id)).status).toBe(202);
    const [{ link: first } = {}] = await composed(id);
    expect((await remind(id, { new_link: true })).body).toEqual({ reminded: [participantId], skipped: [] });
    for (const body of [{}, { new_link: true }, { participant_id: participantId, new_link: true }])
      expect((await remind(id, body)).body.detail.message).toBe("Nobody was reminded: recently_reminded.");
    await admin(
      "update platform.request_counts set resets_at = resets_at - interval '1 hour' where key = sha256(convert_to('new signing link ' || $1, 'UTF8'))",
      [participantId],
    );
    expect((await remind(id)).status).toBe(409);
    expect((await remind(id, { new_link: true })).status).toBe(202);
    expect((await composed(id)).at(-1)?.link).not.toBe(first);
  });

  test("a new link at any time once five codes were sent: the page says that the sender can send one", async () => {
    const { id, participantId } = await aSent(stage);
    for (const round of [1, 2, 3]) {
      const [newest] = (await composed(id)).slice(-1);
      const link = { participantId, secret: secretOf(newest?.link) };
      for (const _ of Array(5).keys()) expect((await act(stage, link, "POST", "/code")).status, `${round}`).toBe(202);
      expectError(await act(stage, link, "POST", "/code"), 429, "rate_limited");
      expect((await remind(id, { new_link: true })).status, `${round}`).toBe(202);
    }
    // The link of the last mail has sent no code.
    expect((await remind(id, { new_link: true })).status).toBe(409);
  });

  test("skips participants whose turn it is not, and who are done", async () => {
    const { id, participantId } = await aSendable(stage, { signing_order: "sequential" });
    const { id: second } = await aParticipant(stage, id);
    const { id: third } = await aParticipant(stage, id);
    await send(stage, id);
    await asOwner("update signature.participants set status = 'completed' where id = $1", [participantId]);
    await asOwner("select signature.invite_due(array[$1::uuid])", [id]);
    expect((await remind(id)).body).toEqual({
      reminded: [second],
      skipped: [
        { participant_id: participantId, reason: "done" },
        { participant_id: third, reason: "not_their_turn" },
      ],
    });
    for (const participant_id of [participantId, second, third])
      expectError(await remind(id, { participant_id }), 409, "conflict");
  });

  test("is 404 for a participant of another envelope, and 409 for a draft", async () => {
    const { id } = await aSent(stage);
    const other = await aSendable(stage);
    expectError(await remind(id, { participant_id: other.participantId }), 404, "not_found");
    expectError(await remind(other.id), 409, "conflict");
  });

  test("GraphQL answers who was reminded", async () => {
    const { id, participantId } = await aSent(stage);
    const { data } = await graphql(
      selo,
      stage.token,
      `mutation { remindParticipants(input: {id: "${id}"}) { reminded skipped { reason } } }`,
    );
    expect(data).toEqual({ remindParticipants: { reminded: [participantId], skipped: [] } });
  });

  test("twice at once reminds once", async () => {
    const { id } = await aSent(stage);
    const answers = await Promise.all([remind(id), remind(id), remind(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  });
});

describe("the deadline", () => {
  test("passes: the envelope is expired by the minute job, with its event, and the participants and the contact are told", async () => {
    const organization = await selo.newOrganization({ email: "contact@example.org" });
    const own: EnvelopeStage = { selo, tenantId: organization.id, token: organization.test, environment: "test" };
    const { id } = await aSent(own, { title: "Lease" });
    await composeAll(own, worker);
    await expire();
    expect((await read(own, id)).status).toBe("sent");
    await overdue(id);
    await expire();
    expect((await read(own, id)).status).toBe("expired");
    await composeAll(own, worker);
    expect((await inbox(own, id)).map(({ kind }) => kind)).toEqual(["envelope_invitation", "envelope_ended"]);
    expect(
      await admin(
        "select kind, recipient, is_withheld, data ->> 'status' as status from platform.mails where envelope_id = $1 and recipient = 'contact@example.org'",
        [id],
      ),
    ).toEqual([{ kind: "envelope_stopped", recipient: "contact@example.org", is_withheld: false, status: "expired" }]);
    expect((await chain(own, id)).at(-1)).toBe("envelope.expired");
    const events = await admin(
      "select body::json ->> 'type' as type from webhooks.events where body::json ->> 'resource_id' = $1 order by id",
      [id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      "envelope.sent",
      "envelope.participant_invited",
      "envelope.expired",
    ]);
  });

  test("passes for envelopes of several organizations and environments; one that is being completed stays", async () => {
    const others = [await openStage(selo), await openStage(selo, "live"), stage];
    const ids = await Promise.all(others.map(async (own) => (await aSent(own)).id));
    const { id: sealing } = await aSent(stage);
    for (const id of [...ids, sealing]) await overdue(id);
    await admin("update signature.envelopes set sealing_since = now() where id = $1", [sealing]);
    await expire();
    for (const [index, own] of others.entries()) expect((await read(own, ids[index] ?? "")).status).toBe("expired");
    expect((await read(stage, sealing)).status).toBe("sent");
    await admin("update signature.envelopes set sealing_since = null where id = $1", [sealing]);
    await expire();
  });

  test("is not past for cancel and remind before the job runs: 409", async () => {
    const { id } = await aSent(stage);
    await overdue(id);
    expectError(await cancel(id), 409, "conflict");
    expectError(await remind(id), 409, "conflict");
    await expire();
    expect((await read(stage, id)).status).toBe("expired");
  });

  test("cancel × expire: one of them ends the envelope", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await aSent(stage);
      await admin(
        "update signature.envelopes set expires_at = clock_timestamp() + interval '20 milliseconds' where id = $1",
        [id],
      );
      const [cancelled] = await Promise.all([cancel(id), expire(), expire()]);
      await admin("select pg_sleep(0.03)");
      await expire();
      expect((await read(stage, id)).status).toBe(cancelled?.status === 200 ? "cancelled" : "expired");
      expect((await chain(stage, id)).filter((action) => /cancelled|expired/.test(action))).toHaveLength(1);
    }
  });
});

describe("GET /envelopes/{id}/documents/{document_id}/download, scope envelopes:read", () => {
  test("is 409 until there is a final PDF, and 404 for a document that the envelope does not have", async () => {
    const { id, documentId } = await aSent(stage);
    const other = await aSendable(stage);
    const download = (envelope: string, document: string) =>
      ask(stage, "GET", `/envelopes/${envelope}/documents/${document}/download`);
    expectError(await download(id, documentId), 409, "conflict");
    expectError(await download(other.id, other.documentId), 409, "conflict");
    expectError(await download(id, other.documentId), 404, "not_found");
    const stranger = await openStage(selo);
    expectError(await ask(stranger, "GET", `/envelopes/${id}/documents/${documentId}/download`), 404, "not_found");
  });
});

describe("the table of moves", () => {
  test("move_envelope makes each move of the table, and refuses every other action in every state with 409", async () => {
    const moves = (await admin("select from_status, action, to_status from signature.envelope_moves")) as {
      from_status: string;
      action: string;
      to_status: string;
    }[];
    const statuses = (await admin("select name from signature.envelope_statuses")).map(({ name }) => name as string);
    const actions = [...new Set(moves.map(({ action }) => action)), "reopen", ""];
    const { id } = await anEnvelope(stage);
    const move = (from: string, action: string) =>
      inContext(owner, stage.tenantId, stage.environment, async (client) => {
        await client.query("savepoint before");
        // A draft was never sent, and every other state was.
        await client.query("update signature.envelopes set status = $2 where id = $1", [id, from]);
        try {
          const { rows } = await client.query(
            "select signature.move_envelope($1, $2) as status, (select status from signature.envelopes where id = $1) as before",
            [id, action],
          );
          const { rows: after } = await client.query("select status from signature.envelopes where id = $1", [id]);
          return { answered: rows[0].status as string, after: after[0].status as string };
        } catch (error) {
          return (error as Error).message;
        } finally {
          await client.query("rollback to savepoint before");
        }
      });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...statuses), fc.constantFrom(...actions), async (from, action) => {
        const legal = moves.find((each) => each.from_status === from && each.action === action);
        const made = await move(from, action);
        if (legal === undefined) expect(made).toContain("does not allow");
        else expect(made).toEqual({ answered: legal.to_status, after: legal.to_status });
      }),
      { numRuns: 300 },
    );
    expect((await read(stage, id)).status).toBe("draft");
  });

  test("from the states that end the flow no move leads on, save that a failed envelope is completed", async () => {
    const on = await admin(
      "select from_status, action from signature.envelope_moves where from_status in ('completed', 'declined', 'cancelled', 'expired', 'failed')",
    );
    expect(on).toEqual([{ from_status: "failed", action: "complete" }]);
  });
});

test("selo audit verify finds nothing", async () => {
  const { faults } = await verifyAll(selo.operator);
  // Documents of this file were not uploaded; deadlines, reminders and participants' acts were set by hand.
  const found = faults.filter(({ subject_type }) => subject_type !== "document" && subject_type !== "envelope");
  expect(found).toEqual([]);
});
