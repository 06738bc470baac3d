// Postgres restarts, stays away, or hangs, while gateway and worker are at work.
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { call, expectError } from "../../support/rest-client.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { Registrations } from "./registrations.ts";

/** How long Postgres is away. */
const OUTAGE_MS = byLane({ lane: 3_000, full: 30_000 });
/** A guard: what has no answer by then hangs. The gateway waits for a connection for 5 s, and for a statement for 20 s. */
const GIVEN_UP_MS = 120_000;
/** More than the batches that may be under way hold (200), so that some have to wait for others. */
const CLIENTS_AT_HANG = byLane({ lane: 300, full: 500 });

/** Of each client after an answer: all that they register is verified in the end. */
const PAUSE_MS = 200;
const PAUSE_AT_HANG_MS = 2_000;

let deployment: Deployment;
let gateway: SeloProcess;
beforeAll(async () => {
  deployment = await deploy();
  gateway = await deployment.startGateway();
});
afterAll(() => deployment.stop());

let registrations: Registrations;
afterEach(async () => {
  await registrations.stop();
});

/** Under load, with so many more proofs answered than before. */
async function answersCome(): Promise<void> {
  const before = registrations.answered;
  await expect.poll(() => registrations.answered - before, { timeout: 30_000, interval: 20 }).toBeGreaterThan(150);
}

const readyz = async () => {
  const response = await fetch(`${deployment.baseUrl}/readyz`, { signal: AbortSignal.timeout(GIVEN_UP_MS) });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
};

/** Every kind of request gets its documented 503 while Postgres is away, a probe first if it hangs, and the gateway goes on living. */
async function expectRefusals(hangs: "hangs" | "refuses"): Promise<void> {
  const { live: token } = registrations.organization;
  const ended: string[] = [];
  const noted = async <Answer>(name: string, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    ended.push(name);
    return answer;
  };
  const answers = Promise.all([
    noted("list", call(deployment, "GET", "/proofs", { token })),
    call(deployment, "GET", "/proofs/0197a0c0-0000-7000-8000-000000000000", { token }),
    call(deployment, "GET", "/public/proofs/ABCD-EFGH-JKLM"),
    fetch(`${deployment.baseUrl}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/graphql-response+json",
      },
      body: JSON.stringify({ query: "{ proofs(first: 1) { nodes { id } } }" }),
    }),
    fetch(`${deployment.baseUrl}/healthz`),
    noted("readyz", readyz()),
  ]);
  const [list, one, anyone, graphql, alive, ready] = await inTime(answers);
  for (const response of [list, one, anyone]) expectError(response, 503, "unavailable");
  expect(graphql.status).toBe(503);
  expect(graphql.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await graphql.json()).toMatchObject({ errors: [{ extensions: { code: "unavailable" } }] });
  expect(alive.status).toBe(200);
  expect(ready).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });
  if (hangs === "hangs") expect(ended).toEqual(["readyz", "list"]); // a probe waits for less than a request
  expect(ready.body).toMatchObject({ status: "not_ready", checks: { database: "failed" } });
}

/** What was asked, or a failure when it hangs: what this file has stopped must go on also then. */
async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const waiting = new AbortController();
  const late = pause(GIVEN_UP_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new Error("no answer came");
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    waiting.abort();
    late.catch(() => {});
  }
}

async function expectReadyAgain(): Promise<void> {
  await expect.poll(async () => (await readyz()).status, { timeout: 30_000, interval: 100 }).toBe(200);
  await answersCome();
  await registrations.stop();
  // It was one and the same process all the time.
  expect(gateway.child.exitCode).toBeNull();
  await registrations.expectNothingLostOrDoubled();
}

test("kill -9 of Postgres under load: it comes back, and the gateway with it", async () => {
  registrations = await Registrations.of(deployment);
  registrations.start(32, PAUSE_MS);
  await answersCome();
  const pid = deployment.postmasterPid();
  process.kill(pid, "SIGKILL");
  await expect.poll(() => registrations.outcomes["503"] ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
  await expectReadyAgain();
  expect(deployment.postmasterPid()).not.toBe(pid);
  expect(registrations.outcomes["broken"]).toBeUndefined();
}, 90_000);

test("an outage under load: /readyz turns, requests get 503, and all recovers by itself with nothing lost or doubled", async () => {
  const worker = await deployment.startWorker({ LOG_LEVEL: "warn" }); // shown if the test fails
  registrations = await Registrations.of(deployment);
  registrations.start(32, PAUSE_MS);
  await answersCome();
  const started = performance.now();
  await deployment.cutPostgres();
  await expect.poll(async () => (await readyz()).status, { timeout: 30_000, interval: 100 }).toBe(503);
  await expectRefusals("refuses");
  registrations.slowestRefusal = 0;
  await pause(OUTAGE_MS - (performance.now() - started)); // the outage itself
  await expectRefusals("refuses");
  // Answers come while Postgres is away, not when it is back; none hung, as the count below says.
  expect(registrations.slowestRefusal).toBeGreaterThan(0);
  await deployment.startPostgres();
  await expectReadyAgain();
  expect(registrations.outcomes["broken"]).toBeUndefined();

  // However many were registered, the last ones are verified: those of before the outage, amid it and after it took the same way.
  // Few, since the thread that verifies gives way to everything else on the machine.
  await deployment.admin.query(
    `delete from signature.unverified_proofs
     where proof_id not in (select proof_id from signature.unverified_proofs order by created_at desc limit 20)`,
  );
  await deployment.admin.query("select graphile_worker.add_job('signature__reverify_proofs')");
  const unverified = async () => {
    const { rows } = await deployment.admin.query(
      `select (select count(*)::integer from signature.unverified_proofs) as proofs,
         (select json_agg(json_build_object('task', task_identifier, 'run_at', run_at, 'attempts', attempts, 'locked_by', locked_by, 'locked_at', locked_at, 'error', last_error))
          from graphile_worker.jobs) as jobs, (select json_agg(workers) from platform.workers) as workers`,
    );
    return rows[0];
  };
  await expect.poll(unverified, { timeout: 120_000, interval: 100 }).toMatchObject({ proofs: 0 });
  // Its runner of jobs ended with its connections, and was run again.
  expect(worker.child.exitCode).toBeNull();
}, 240_000);

/** The postmaster and all its processes. */
function processesOfPostgres(): number[] {
  const postmaster = deployment.postmasterPid();
  const children = fs.readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  return [postmaster, ...children.map(Number)];
}

test("a Postgres that hangs: requests get 503 within a bounded time, and all recovers when it goes on", async ({
  skip,
}) => {
  if (process.platform !== "linux") skip("finds the processes of Postgres in /proc");
  registrations = await Registrations.of(deployment);
  registrations.start(CLIENTS_AT_HANG, PAUSE_AT_HANG_MS);
  await answersCome();
  const stopped = processesOfPostgres();
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  try {
    await expectRefusals("hangs");
    const refused = () => registrations.outcomes["503"] ?? 0;
    await expect.poll(refused, { timeout: GIVEN_UP_MS, interval: 100 }).toBeGreaterThanOrEqual(CLIENTS_AT_HANG);
  } finally {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  }
  await expectReadyAgain();
}, 400_000);
