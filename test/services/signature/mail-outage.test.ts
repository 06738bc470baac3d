// A mail server that is away for an hour, with the real worker. The hour passes by moving its instants into the past: issue "Signature I" §5.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../../src/main/log.ts";
import type { RunningWorker } from "../../../workers/main.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type CatchingServer, startMailServer } from "../../support/mail-servers.ts";
import { startTestWorker } from "../../support/worker.ts";
import { type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent } from "./sending-stage.ts";
import { act, type Link } from "./signing-stage.ts";

const HOUR = 3_600;
/** For jobs that the real worker runs beside other tests. */
const POLL = { interval: 50 };

let server: CatchingServer;
let selo: TestGateway;
let live: EnvelopeStage;
let worker: RunningWorker;
beforeAll(async () => {
  server = await startMailServer();
  selo = await startTestGateway({ SMTP_URL: server.url });
  live = await openStage(selo, "live");
  worker = await startTestWorker(selo, createLogger("silent"));
});
afterAll(async () => {
  await worker?.stop();
  await selo?.stop();
  await server?.close();
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;

/** The links to a participant in all mails that came. */
const linksTo = async (participantId: string) => {
  const link = new RegExp(`/sign/${participantId}#([A-Za-z0-9_-]{43})`);
  return (await server.mails()).flatMap(({ text }) => link.exec(text ?? "")?.[1] ?? []);
};
const mailedCodes = async () =>
  (await server.mails()).flatMap(({ subject }) => /^\d{6}/.exec(subject ?? "")?.[0] ?? []);

/** The newest mail of a kind to a participant, and its job while it has one. */
const mailTo = async (participantId: string, kind: string) =>
  (
    await admin(
      `select mail.sent_at, mail.failure, job.attempts, job.max_attempts, job.locked_at is null as waits,
         (select held.seconds from public.held_back as held where held.job_id = job.id order by held.seconds desc limit 1) as seconds
       from platform.mails as mail left join graphile_worker._private_jobs as job on job.payload ->> 'id' = mail.id::text
       where mail.participant_id = $1 and mail.kind = $2 order by mail.id desc limit 1`,
      [participantId, kind],
    )
  )[0];

/**
 * Holds a job that failed back for a day more, and notes how long it waits: it comes again when the test lets time pass, however
 * busy the machine is.
 */
const HOLD_BACK = `
  create table public.held_back (job_id bigint, seconds double precision);
  create function public.hold_back() returns trigger language plpgsql security definer as $$
  begin
    insert into public.held_back values (new.id, extract(epoch from new.run_at - now()));
    new.run_at := new.run_at + interval '1 day';
    return new;
  end $$;
  create trigger hold_back before update on graphile_worker._private_jobs for each row
    when (old.locked_at is not null and new.locked_at is null and new.attempts > 0) execute function public.hold_back()`;

/** Lets so many seconds pass, for what waits in this test, and wakes the worker. */
async function pass(seconds: number): Promise<void> {
  await admin("update signature.signing_codes set expires_at = expires_at - $1 * interval '1 second'", [seconds]);
  await admin(
    "update graphile_worker._private_jobs set run_at = run_at - interval '1 day' - $1 * interval '1 second' where attempts > 0 and locked_at is null",
    [seconds],
  );
  await admin(`select pg_notify('jobs:insert', '{"r": 1, "count": 2}')`);
}

test("SMTP down an hour: retries grow apart, a late code is given up, and the invitation comes once, with a link that opens", async () => {
  const invitedBefore = await aSent(live);
  await expect.poll(() => linksTo(invitedBefore.participantId), POLL).toHaveLength(1);
  const [secret = ""] = await linksTo(invitedBefore.participantId);
  const link: Link = { envelopeId: invitedBefore.id, participantId: invitedBefore.participantId, secret };

  await admin(HOLD_BACK);
  const port = Number(new URL(server.url).port);
  await server.close();
  expect((await act(live, link, "POST", "/code")).status).toBe(202);
  const { id, participantId } = await aSent(live);
  const delays: number[] = [];
  for (let passed = 0; passed < HOUR; ) {
    const tried = async () => {
      const { attempts, waits } = await mailTo(participantId, "envelope_invitation");
      return waits ? attempts : null;
    };
    await expect.poll(tried, POLL).toBe(delays.length + 1);
    const { seconds, attempts, max_attempts } = await mailTo(participantId, "envelope_invitation");
    expect(attempts).toBeLessThan(max_attempts);
    expect(seconds).toBeGreaterThan(delays.at(-1) ?? 0);
    delays.push(seconds);
    passed += seconds;
    // The mail of the code is tried with the invitation while it is in time.
    if (passed < 600) {
      const code = async () => (await mailTo(link.participantId, "signing_code")).waits;
      await expect.poll(code, POLL).toBe(true);
    }
    await pass(Math.ceil(seconds));
  }
  expect(delays.length).toBeLessThan(12);
  expect(await read(live, id)).toMatchObject({
    status: "sent",
    participants: [{ status: "invited", invitation_failed: false }],
  });
  await expect
    .poll(() => mailTo(link.participantId, "signing_code"), POLL)
    .toMatchObject({ sent_at: null, failure: "out of date", attempts: null });

  server = await startMailServer(port);
  // The last attempt may have come before the server did: the next one is then hours away.
  const comes = async () => {
    await pass(3 * HOUR);
    return linksTo(participantId);
  };
  await expect.poll(comes, POLL).toHaveLength(1);
  await expect
    .poll(() => mailTo(participantId, "envelope_invitation"), POLL)
    .toMatchObject({ sent_at: expect.any(Date), attempts: null });
  const [late = ""] = await linksTo(participantId);
  const opened = await act(live, { participantId, secret: late }, "GET");
  expect([opened.status, opened.body.turn]).toEqual([200, "yes"]);

  // The participant asks again, and only the new code is mailed.
  expect(await mailedCodes()).toEqual([]);
  expect((await act(live, link, "POST", "/code")).status).toBe(202);
  await expect.poll(mailedCodes, POLL).toHaveLength(1);
  const [code] = await mailedCodes();
  expect((await act(live, link, "POST", "/session", { body: { code } })).status).toBe(200);
  expect(await linksTo(participantId)).toHaveLength(1);
});
