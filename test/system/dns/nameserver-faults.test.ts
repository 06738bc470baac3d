// PowerDNS, Postgres or everything is killed or stopped, while zones change: no change is lost, and each is seen in the end.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/adapters/nameserver/program.ts";
import { processStamp } from "../../../src/adapters/programs/process-stamp.ts";
import type { RecordBody, ZoneBody } from "../../services/dns/dns-stage.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { postmasterPid } from "../../support/selo-process.ts";
import { confirmedBy, DnsDeployment } from "./dns-deployment.ts";

/** A change whose flush was lost is seen long before caches end, which takes a minute. */
const SEEN_MS = 30_000;

/** Resolves when the nameserver answers so. The condition is outside of this process, so there is no event to await. */
const untilSeen = (deployment: DnsDeployment, name: string, served: readonly string[] | string, timeout: number) =>
  expect.poll(() => deployment.tryDig(name, "A"), { timeout, interval: 20 }).toEqual(served);

describe("while PowerDNS is away", () => {
  let deployment: DnsDeployment;
  let zone: ZoneBody;
  let record: RecordBody;
  let changes = 0;
  beforeAll(async () => {
    deployment = await DnsDeployment.open();
    zone = await deployment.zone("away.test");
    record = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
    // In its caches.
    expect(await deployment.dig("www.away.test", "A")).toEqual(["192.0.2.1"]);
  }, 120_000);
  afterAll(() => deployment?.close());

  /** Gives the record another address. */
  async function change(): Promise<{ readonly answer: RestResponse; readonly address: string; readonly ms: number }> {
    changes++;
    const address = `10.0.${Math.floor(changes / 256)}.${changes % 256}`;
    const began = performance.now();
    const answer = await deployment.ask("PUT", `/zones/${zone.id}/records/${record.id}`, { content: address });
    expect(answer).toMatchObject({ status: 200, body: { content: address } });
    return { answer, address, ms: performance.now() - began };
  }

  test("kill -9 of PowerDNS: changes go on, it comes back within seconds and answers with them", async () => {
    const killed = deployment.powerDnsPid();
    process.kill(killed, "SIGKILL");
    const began = performance.now();
    const first = await change();
    expect(confirmedBy(first.answer)).toBe("0/1");
    // A zone that PowerDNS hears of only when it is back.
    const made = await deployment.ask("POST", "/zones", { name: "meanwhile.test" });
    expect(made.status).toBe(201);
    await deployment.ask("POST", `/zones/${made.body.id}/records`, { name: "www", type: "A", content: "192.0.2.7" });
    for (;;) {
      const { answer, address } = await change();
      if (confirmedBy(answer) === "1/1") {
        // What is confirmed is seen at once.
        expect(await deployment.dig("www.away.test", "A")).toEqual([address]);
        break;
      }
      expect(confirmedBy(answer)).toBe("0/1");
      expect(performance.now() - began).toBeLessThan(SEEN_MS);
      // Each change leaves a job and a row of changes.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    console.log(`confirmed again ${Math.round(performance.now() - began)} ms after the kill`);
    await untilSeen(deployment, "www.meanwhile.test", ["192.0.2.7"], SEEN_MS);
    expect(deployment.powerDnsPid()).not.toBe(killed);
  }, 120_000);

  test("SIGSTOP of PowerDNS: the answer comes after about two seconds, and the change is seen when it goes on", async () => {
    const stopped = deployment.powerDnsPid();
    const { address: before } = await change();
    expect(await deployment.dig("www.away.test", "A")).toEqual([before]);
    process.kill(stopped, "SIGSTOP");
    let address: string;
    try {
      const late = await change();
      ({ address } = late);
      expect(confirmedBy(late.answer)).toBe("0/1");
      // It is still stopped: the answer came without it.
      expect(late.ms).toBeGreaterThan(1_900);
    } finally {
      process.kill(stopped, "SIGCONT");
    }
    await untilSeen(deployment, "www.away.test", [address], SEEN_MS);
    // The same process: its caches are those from before.
    expect(deployment.powerDnsPid()).toBe(stopped);
    expect(confirmedBy((await change()).answer)).toBe("1/1");
  }, 120_000);

  test("SIGSTOP of PowerDNS for longer than two attempts of the job: the change is seen when it goes on, and the job ends", async () => {
    await deployment.untilIdle();
    const stopped = deployment.powerDnsPid();
    const { address: before } = await change();
    expect(await deployment.dig("www.away.test", "A")).toEqual([before]);
    process.kill(stopped, "SIGSTOP");
    let address: string;
    const job = "select attempts, last_error from graphile_worker.jobs where key = 'dns__flush_zone away.test'";
    // Attempts begin two and some seven seconds after the change: none waits here.
    const hurried = async () => {
      await deployment.database(
        "update graphile_worker._private_jobs set run_at = now() where key = 'dns__flush_zone away.test' and locked_at is null and attempts < 2",
      );
      await deployment.database('notify "jobs:insert", \'{"count":1}\'');
      return (await deployment.database(job))[0];
    };
    try {
      ({ address } = await change());
      // Each fails after two seconds.
      await expect
        .poll(hurried, { interval: 200 })
        .toEqual({ attempts: 2, last_error: "0 of 1 nameservers confirmed that they forgot a zone" });
    } finally {
      process.kill(stopped, "SIGCONT");
    }
    await untilSeen(deployment, "www.away.test", [address], SEEN_MS);
    expect(deployment.powerDnsPid()).toBe(stopped);
    await deployment.untilIdle();
    expect(await deployment.database(job)).toEqual([]);
    expect(await deployment.dig("www.away.test", "A")).toEqual([address]);
  }, 120_000);

  test("kill -9 of Postgres: PowerDNS answers again by itself, also what it did not know before", async () => {
    await deployment.record(zone, { name: "fresh", type: "A", content: "192.0.2.8" });
    const { address } = await change();
    const postmaster = postmasterPid(deployment.folder);
    if (postmaster === null) throw new Error("Postgres does not run");
    const began = performance.now();
    process.kill(postmaster, "SIGKILL");
    // Until it is gone, its connections answer: PowerDNS would have the answers in its caches.
    await expect.poll(() => processStamp(postmaster), { interval: 1 }).toBeUndefined();
    await untilSeen(deployment, "fresh.away.test", ["192.0.2.8"], 30_000);
    await untilSeen(deployment, "www.away.test", [address], SEEN_MS);
    console.log(`answers again ${Math.round(performance.now() - began)} ms after the kill of Postgres`);
    expect(postmasterPid(deployment.folder)).not.toBe(postmaster);
    await expect.poll(async () => (await fetch(`${deployment.baseUrl}/readyz`)).status, { interval: 100 }).toBe(200);
    const after = await change();
    expect(confirmedBy(after.answer)).toBe("1/1");
    expect(await deployment.dig("www.away.test", "A")).toEqual([after.address]);
  }, 120_000);

  test("kill -9 of everything while a flush hangs: the change is kept, and seen after the next start", async () => {
    const stopped = deployment.powerDnsPid();
    const { address: before } = await change();
    expect(await deployment.dig("www.away.test", "A")).toEqual([before]);
    process.kill(stopped, "SIGSTOP");
    const content = "192.0.2.99";
    const path = `/zones/${zone.id}/records`;
    const lost = deployment.ask("PUT", `${path}/${record.id}`, { content }).then(
      ({ status }) => status,
      () => "no answer",
    );
    // The change is committed, and its request waits for the flush.
    await expect.poll(async () => (await deployment.ask("GET", `${path}?name=www`)).body[0].content).toBe(content);
    await deployment.kill();
    expect(await lost).toBe("no answer");
    await deployment.start();
    const began = performance.now();
    await untilSeen(deployment, "www.away.test", [content], SEEN_MS);
    console.log(`seen ${Math.round(performance.now() - began)} ms after the start`);
    // The stopped one was ended, too.
    expect(processStamp(stopped)).toBeUndefined();
    expect(confirmedBy((await change()).answer)).toBe("1/1");
  }, 120_000);
}, 400_000);

test("without the program everything works, no answer counts nameservers, and /readyz is 200", async ({ skip }) => {
  if ((await findProgram({ dataDir: "/nowhere", given: null, environment: process.env })) !== null)
    skip("this machine has its own PowerDNS");
  const deployment = await DnsDeployment.open({ hasNameserver: false });
  try {
    expect(deployment.process.output.stdout).toContain("nameserver not installed");
    const zone = await deployment.zone("without.test", null);
    const { id } = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" }, null);
    await deployment.change("PUT", `/zones/${zone.id}/records/${id}`, { content: "192.0.2.2" }, null);
    expect((await deployment.ask("GET", `/zones/${zone.id}/records`)).body).toMatchObject([{ content: "192.0.2.2" }]);
    expect((await deployment.ask("GET", `/zones/${zone.id}/export`)).text).toContain("192.0.2.2");
    expect((await fetch(`${deployment.baseUrl}/readyz`)).status).toBe(200);
    await deployment.change("DELETE", `/zones/${zone.id}`, undefined, null);
  } finally {
    await deployment.close();
  }
}, 400_000);
