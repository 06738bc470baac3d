// Two nameservers on one Postgres, of which one is late three times in a row: from then on it delays no change, until it is back and has forgotten everything.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RecordBody, ZoneBody } from "../../services/dns/dns-stage.ts";
import { command } from "../../support/command.ts";
import { confirmedBy, DnsDeployment } from "./dns-deployment.ts";
import { CONTROL_KEY, NameserverApart } from "./nameserver-apart.ts";
import { type Relay, startRelay } from "./relay.ts";

/** A change waits two seconds for a nameserver that hangs. On any machine, one that took less has not waited. */
const WAITED_MS = 1_900;
/** For a nameserver that is back: it is asked each second, and then forgets everything. */
const BACK_MS = 30_000;
const METRICS_TOKEN = "m".repeat(32);
const NAMES = ["a", "b", "c", "d", "e"] as const;

let near: NameserverApart;
let far: NameserverApart;
/** Before the control of the far one. */
let relay: Relay;
let deployment: DnsDeployment;
let zone: ZoneBody;
/** By name. */
const records = new Map<string, RecordBody>();
/** What a name has now, by name. */
const contents = new Map<string, string>();
let changes = 0;
beforeAll(async () => {
  near = await NameserverApart.prepare();
  far = await NameserverApart.prepare();
  relay = await startRelay({ host: "127.0.0.1", port: far.controlPort });
  deployment = await DnsDeployment.open({
    hasNameserver: false,
    environment: {
      NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${near.controlPort},${relay.url}`,
      NAMESERVER_CONTROL_KEY: CONTROL_KEY,
      METRICS_TOKEN,
    },
  });
  await Promise.all([near.start(deployment), far.start(deployment)]);
  zone = await deployment.zone("late.test", "2/2");
  for (const name of NAMES) {
    records.set(name, await deployment.record(zone, { name, type: "A", content: "192.0.2.1" }, "2/2"));
    contents.set(name, "192.0.2.1");
  }
}, 400_000);
afterAll(async () => {
  await deployment?.close();
  await relay?.close();
  near?.remove();
  far?.remove();
});
beforeEach(async () => {
  // Both have all answers in their caches, and no job of an earlier change flushes them.
  await deployment.untilIdle();
  for (const each of [near, far]) expect(await servedBy(each)).toEqual(all());
});

const all = () => NAMES.map((name) => [contents.get(name)]);
const servedBy = (nameserver: NameserverApart) =>
  Promise.all(NAMES.map((name) => nameserver.ask(`${name}.late.test`).catch(() => null)));

/** Gives the next record another address. */
async function change(): Promise<{ readonly confirmed: string | null; readonly ms: number }> {
  changes++;
  const name = NAMES[changes % NAMES.length] ?? "";
  const content = `10.3.0.${changes}`;
  const began = performance.now();
  const answer = await deployment.ask("PUT", `/zones/${zone.id}/records/${records.get(name)?.id}`, { content });
  const ms = performance.now() - began;
  expect(answer).toMatchObject({ status: 200, body: { content } });
  contents.set(name, content);
  return { confirmed: confirmedBy(answer), ms };
}

/** Changes that the far one misses, each of which waits or not; and one more, which does not. */
async function untilLate(isWaitedFor: boolean): Promise<void> {
  for (let number = 0; number < 3; number++) {
    const { confirmed, ms } = await change();
    expect(confirmed).toBe("1/2");
    if (isWaitedFor) expect(ms).toBeGreaterThan(WAITED_MS);
  }
  await expectNoWait();
  expect(await servedBy(near)).toEqual(all());
}

/** Changes that only one confirms do not wait for the other. */
async function expectNoWait(): Promise<void> {
  await expect
    .poll(async () => {
      const { confirmed, ms } = await change();
      expect(confirmed).toBe("1/2");
      return ms;
    })
    .toBeLessThan(WAITED_MS);
}

/** Changes go on until both confirm: none waits, and in the end the far one serves them all. */
async function untilBack(): Promise<void> {
  const took: number[] = [];
  const confirmed = async () => {
    const done = await change();
    took.push(done.ms);
    return done.confirmed;
  };
  await expect.poll(confirmed, { timeout: BACK_MS, interval: 50 }).toBe("2/2");
  expect(Math.min(...took)).toBeLessThan(WAITED_MS);
  expect(await servedBy(far)).toEqual(all());
}

/** Nothing but the whole purge can bring what it missed. */
const forgetJobs = () =>
  deployment.database(
    "delete from graphile_worker._private_jobs where key like 'dns\\_\\_flush\\_zone %' returning id",
  );

async function readyz(): Promise<{ readonly status: number; readonly ms: number; readonly body: object }> {
  const began = performance.now();
  const answer = await fetch(`${deployment.baseUrl}/readyz`);
  return { status: answer.status, body: (await answer.json()) as object, ms: performance.now() - began };
}

async function lateInMetrics(): Promise<Readonly<Record<string, string>>> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${deployment.baseUrl}/metrics`, { headers })).text();
  const lines = text.matchAll(/^selo_dns_nameserver_late\{nameserver="([^"]+)"\} (\d)$/gm);
  return Object.fromEntries([...lines].map(([, nameserver, value]) => [nameserver, value]));
}

async function status() {
  const { code, stdout } = await command(["nameserver", "status", "--json"], deployment.environment);
  return { code, control: JSON.parse(stdout).control };
}

test("both are here: /readyz, /status, the metrics and `selo nameserver status` show each", async () => {
  await expect.poll(readyz).toMatchObject({ status: 200, body: { nameserver: "ok", nameservers: ["ok", "ok"] } });
  expect(await lateInMetrics()).toEqual({ [`http://127.0.0.1:${near.controlPort}`]: "0", [relay.url]: "0" });
  const shown = await status();
  expect(shown).toEqual({
    code: 0,
    control: [`http://127.0.0.1:${near.controlPort}`, relay.url].map((url) => ({
      url,
      state: "ok",
      reason: null,
      answer_ms: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+/),
      zones: 1,
      uptime_seconds: expect.any(Number),
      purged_at: null,
    })),
  });
  const { stdout } = await command(["nameserver", "status"], deployment.environment);
  expect(stdout).toMatch(
    new RegExp(`^${relay.url}  ok  answered in \\d+ ms; PowerDNS \\d\\S+, for \\d+ s; zones: 1$`, "m"),
  );
  const page = await (await fetch(`${deployment.baseUrl}/status?lang=en`)).text();
  expect(page).toContain("All of them answer for hosted domains.");
});

test("the PowerDNS of one hangs: three changes wait two seconds, later ones do not; when it goes on it serves them all, and changes wait for it again", async () => {
  const stopped = far.powerDnsPid();
  process.kill(stopped, "SIGSTOP");
  try {
    await untilLate(true);
    const shown = await readyz();
    expect(shown).toMatchObject({ status: 200, body: { nameserver: "unavailable", nameservers: ["ok", "late"] } });
    expect((await lateInMetrics())[relay.url]).toBe("1");
    expect(await status()).toMatchObject({
      code: 1,
      control: [
        { state: "ok" },
        { url: relay.url, state: "unavailable", reason: "its PowerDNS does not answer", answer_ms: expect.any(Number) },
      ],
    });
    for (const [language, words] of [
      ["en", "At least one of them is down or slow. The others answer for hosted domains, with every change."],
      ["pt-BR", "Pelo menos um deles está fora do ar ou lento."],
    ])
      expect(await (await fetch(`${deployment.baseUrl}/status?lang=${language}`)).text()).toContain(words);
    // Nobody asks it any more: the answer does not wait.
    await expect.poll(async () => (await readyz()).ms, { interval: 1_100 }).toBeLessThan(WAITED_MS);
    await forgetJobs();
  } finally {
    process.kill(stopped, "SIGCONT");
  }
  await untilBack();
  expect(far.powerDnsPid()).toBe(stopped);
  await expect.poll(readyz).toMatchObject({ status: 200, body: { nameserver: "ok", nameservers: ["ok", "ok"] } });
  const [, { state, purged_at }] = (await status()).control;
  expect({ state, purged_at }).toEqual({ state: "ok", purged_at: expect.stringMatching(/^20\d\d-/) });
  // The worker, in the same process, finds out by itself that it is back.
  await expect.poll(async () => (await lateInMetrics())[relay.url]).toBe("0");
  await expect
    .poll(() => deployment.process.output.stdout + deployment.process.output.stderr)
    .toContain("is back and has forgotten all old answers");
}, 400_000);

test("one cannot be reached and goes on answering: what it missed is served when it can be, also a zone that is new, though no job is left", async () => {
  const held = relay.hold();
  await untilLate(true);
  await held;
  const made = await deployment.ask("POST", "/zones", { name: "meanwhile.test" });
  expect({ status: made.status, confirmed: confirmedBy(made) }).toEqual({ status: 201, confirmed: "1/2" });
  await deployment.ask("POST", `/zones/${made.body.id}/records`, { name: "www", type: "A", content: "192.0.2.7" });
  expect(await near.ask("www.meanwhile.test")).toEqual(["192.0.2.7"]);
  expect(await far.ask("www.meanwhile.test")).toBe("REFUSED");
  // It still answers with what was true before.
  expect(await servedBy(far)).not.toEqual(all());
  // An attempt under way ends first.
  await expect
    .poll(async () => {
      await forgetJobs();
      return (
        await deployment.database("select id from graphile_worker._private_jobs where key like 'dns\\_\\_flush%'")
      ).length;
    })
    .toBe(0);
  relay.release();
  await untilBack();
  expect(await far.ask("www.meanwhile.test")).toEqual(["192.0.2.7"]);
}, 400_000);

test("one is killed, and then has another key: no change waits, and it is waited for when it is back with its key", async () => {
  await far.kill();
  await untilLate(false);
  expect((await status()).control[1]).toMatchObject({ state: "unavailable", answer_ms: null });
  await far.start(deployment, { NAMESERVER_CONTROL_KEY: "x".repeat(32) });
  expect(await servedBy(far)).toEqual(all());
  await expectNoWait();
  expect(await status()).toMatchObject({
    code: 1,
    control: [{ state: "ok" }, { state: "refused", reason: "it does not take the key (NAMESERVER_CONTROL_KEY)" }],
  });
  await far.kill();
  await far.start(deployment);
  await untilBack();
}, 400_000);

test("a gateway that probes a late one ends at a signal at once", async () => {
  await far.kill();
  await untilLate(false);
  // From now on it hangs.
  await relay.hold();
  deployment.process.child.kill("SIGTERM");
  expect(await deployment.process.finished).toMatchObject({ code: 0 });
  relay.release();
}, 400_000);
