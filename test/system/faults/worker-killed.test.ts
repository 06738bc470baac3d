// kill -9 of a worker that has a job: another worker takes the job soon, the job of a worker that lives is left alone, and mails with links go out once.
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkSha256 } from "../../../src/services/accounts/sign-in/password-link.ts";
import { addPerson, auth, invite, sessionHeaders, trySignIn } from "../../services/accounts/accounts-stage.ts";
import { aParticipant, aSendable } from "../../services/signature/envelope-stage.ts";
import { send } from "../../services/signature/sending-stage.ts";
import { act, openedLink } from "../../services/signature/signing-stage.ts";
import { startMailServer } from "../../support/mail-servers.ts";
import { SMS_TOKEN, startSmsReceiver } from "../../support/sms-receiver.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";

/** By default of jobs.note_worker(). */
const SILENT_MS = 15_000;
/** So much of it passes at once. */
const PASSED_MS = 9_000;

let deployment: Deployment;
/** Accepts connections and says nothing: a flush there lasts for two seconds, and its job fails. */
let silent: net.Server;
beforeAll(async () => {
  silent = net.createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  deployment = await deploy();
}, 120_000);
afterAll(async () => {
  await deployment?.stop();
  silent?.close();
});

const silentPort = () => (silent.address() as net.AddressInfo).port;
const rows = async (text: string, values: unknown[] = []) => (await deployment.admin.query(text, values)).rows;
const jobOf = (zone: string) =>
  rows("select locked_by, attempts from graphile_worker._private_jobs where payload ->> 'zone' = $1", [zone]);

test("kill -9 of a worker that has a job: after fifteen seconds another one takes the job, and only that", async () => {
  const killed = await deployment.startWorker({
    NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${silentPort()}`,
    NAMESERVER_CONTROL_KEY: "k".repeat(32),
  });
  await rows("select graphile_worker.add_job('dns__flush_zone', '{\"zone\": \"killed.test\"}')");
  await expect
    .poll(async () => (await jobOf("killed.test"))[0]?.locked_by, { timeout: 30_000, interval: 10 })
    .toBeTruthy();
  killed.child.kill("SIGKILL");
  await killed.finished;
  const [held] = await jobOf("killed.test");
  expect(held).toEqual({ locked_by: expect.stringMatching(/^pool-/), attempts: 1 });

  // One that lives, and a job that it has as if it took long. Its sign of life says so.
  const living = await deployment.startWorker();
  await expect.poll(async () => (await rows("select id from platform.workers")).length, { timeout: 30_000 }).toBe(2);
  await rows(
    `select graphile_worker.add_job('dns__flush_zone', '{"zone": "living.test"}', run_at => now() + interval '1 hour')`,
  );
  await rows(
    `update graphile_worker._private_jobs set locked_at = now(), attempts = 1, locked_by = (select id from platform.workers where id <> $1)
     where payload ->> 'zone' = 'living.test'`,
    [held?.locked_by],
  );
  // As if the dead one were silent for longer, and the other one were there for longer.
  const passed = [PASSED_MS, held?.locked_by];
  await rows("update platform.workers set since = since - $1 * interval '1 ms' where id <> $2", passed);
  const [dead] = await rows(
    "update platform.workers set since = since - $1 * interval '1 ms', seen_at = seen_at - $1 * interval '1 ms' where id = $2 returning seen_at",
    passed,
  );
  // The other worker knows no nameserver, so its job ends at once.
  await expect.poll(() => jobOf("killed.test"), { timeout: 60_000, interval: 100 }).toEqual([]);
  expect(Date.now() - Number(dead?.seen_at)).toBeGreaterThanOrEqual(SILENT_MS);
  expect(await jobOf("living.test")).toEqual([{ locked_by: expect.stringMatching(/^pool-/), attempts: 1 }]);
  expect(await rows("select id from platform.workers where id = $1", [held?.locked_by])).toEqual([]);

  // One that stops says so itself.
  living.child.kill("SIGTERM");
  await living.finished;
  expect(await rows("select from platform.workers")).toEqual([]);
}, 120_000);

test("kill -9 of the gateway that was asked for links, and of the worker that has opened them: each link is mailed once, and opens", async () => {
  const gateway = await deployment.runningGateway();
  const organization = await deployment.newOrganization();
  const [owner, member] = await deployment.asOperator(async (operator) => [
    await addPerson({ operator }, organization, "owner"),
    await addPerson({ operator }, organization, "member"),
  ]);
  const session = sessionHeaders(await trySignIn(deployment, owner.email));
  const invitee = "invited@people.example";
  expect((await invite(deployment, session, invitee)).errors).toEqual([]);
  const asked = await auth(deployment, "POST", "/password-reset", { body: { email: member.email } });
  expect(asked.status).toBe(202);
  gateway.child.kill("SIGKILL");
  await gateway.finished;

  const from = { MAIL_FROM: "Selo <selo@example.com>" };
  const killed = await deployment.startWorker({ SMTP_URL: `smtp://127.0.0.1:${silentPort()}`, ...from });
  const opened =
    "select 1 from accounts.invitations where is_open union all select 1 from accounts.password_links where is_open";
  await expect.poll(async () => (await rows(opened)).length, { interval: 10 }).toBe(2);
  killed.child.kill("SIGKILL");
  await killed.finished;
  expect(await rows("select from platform.mails where sent_at is not null")).toEqual([]);

  const server = await startMailServer();
  try {
    await deployment.startNextWorker({ SMTP_URL: server.url, ...from });
    const waiting =
      "select from graphile_worker._private_jobs where payload ->> 'id' in (select id::text from platform.mails)";
    await expect.poll(async () => (await rows(waiting)).length, { interval: 50 }).toBe(0);
    const mails = await server.mails();
    const links = new Map(
      mails.map(({ to, text }) => [to?.[0]?.address, /(?<=\/app\/\w+#)[\w-]{43}/.exec(text ?? "")?.[0]]),
    );
    const told = mails.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`);
    expect(told.sort()).toEqual([expect.stringMatching(member.email), expect.stringMatching(invitee)]);
    const shown = async (command: string, email: string) => {
      const link_sha256 = linkSha256(links.get(email) ?? "");
      const given = [command, { link_sha256, network: "192.0.2.1" }];
      const [answer] = await rows("select body::json ->> 'email' as email from gateway.call(null, $1, $2)", given);
      return answer?.email;
    };
    expect(await shown("read_invitation", invitee)).toBe(invitee);
    expect(await shown("prepare_password_reset", member.email)).toBe(member.email);
  } finally {
    await server.close();
  }
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 120_000);

test("kill -9 of the worker between the post of an SMS and its mark: the same message is posted again, with the same id", async () => {
  await deployment.runningGateway();
  const receiver = await startSmsReceiver();
  try {
    await deployment.asOperator((operator) => operator.changeSetting("sms_url", receiver.url));
    const stage = envelopesOf(deployment, await deployment.newOrganization());
    const { id } = await aSendable(stage);
    const { id: participantId } = await aParticipant(stage, id, { auth_method: "otp_sms", phone: "+5511987654321" });
    expect((await send(stage, id)).status).toBe(200);
    const link = await openedLink(stage, id, participantId);
    if (link === null) throw new Error("the participant has no link");
    const sms = { SMS_URL: receiver.url, SMS_TOKEN };
    // The service has taken it, and its answer does not come.
    receiver.answers.push("silence");
    const killed = await deployment.startWorker(sms);
    expect((await act(stage, link, "POST", "/code")).status).toBe(202);
    await expect.poll(() => receiver.posts.length, { timeout: 20_000, interval: 10 }).toBe(1);
    killed.child.kill("SIGKILL");
    await killed.finished;
    const row = "select id, sent_at is not null as is_sent from platform.mails where channel = 'sms'";
    const [before] = await rows(row);
    expect(before).toEqual({ id: receiver.posts[0]?.id, is_sent: false });
    // As if it were silent for an hour, and the next one were there for as long.
    await rows("update platform.workers set since = since - interval '1 hour', seen_at = seen_at - interval '1 hour'");
    await deployment.startWorker(sms);
    await rows("update platform.workers set since = since - interval '1 hour'");
    await expect.poll(() => rows(row), { timeout: 60_000, interval: 50 }).toEqual([{ ...before, is_sent: true }]);
    expect(receiver.posts).toHaveLength(2);
    expect(receiver.posts[1]).toEqual(receiver.posts[0]);
    const code = receiver.posts[0]?.text.slice(0, 6);
    expect((await act(stage, link, "POST", "/session", { body: { code } })).status).toBe(200);
  } finally {
    await receiver.close();
  }
}, 120_000);
