import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { makeSealCertificate, openSealKey } from "../../src/adapters/pdf-seal/certificate.ts";
import { sealPdf } from "../../src/adapters/pdf-seal/seal-pdf.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import type { Measurement } from "./measurement.ts";
import { crowd } from "./sealing-crowd.ts";
import { firstPage } from "./sealing-page.ts";
import { aSender, asked, contract, DRAWN, type Ready, ready, type Sender, sent, sign, TYPED } from "./sealing-stage.ts";
import { KINDS, offer, percentile, startWebhookBench, together, type WebhookBench } from "./webhooks-support.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const PER_SECOND = 5;
const SENDERS = 6;
/** Webhooks that are offered beside. */
const EVENTS_PER_SECOND = 20;
const WARM_UP = 10;

const milliseconds = (times: readonly number[], share: number) => `${percentile(times, share).toFixed(0)} ms`;

/**
 * The end of envelopes, everything on the same cores, fsync on: from the answer to the last act until a webhook's receiver has `envelope.completed`,
 * and what else that touches. Then 100 signers at once, the first page of a large document on a slow network, and the memory of a seal.
 */
export async function sealing(): Promise<Measurement[]> {
  return [...(await completions()), ...(await crowd()), ...(await firstPage()), await memoryOfSeal()];
}

async function completions(): Promise<Measurement[]> {
  const bench = await startWebhookBench();
  const receiver = await startReceiver();
  try {
    const worker = await bench.startWorker();
    const senders: Sender[] = [];
    for (let place = 0; place < SENDERS; place++) {
      const sender = await aSender(bench.gateway, await bench.gateway.newOrganization(1_000), contract(5));
      await asked(bench.gateway, "POST", "/webhooks", {
        token: sender.token,
        body: { url: receiver.url, event_types: ["envelope.completed"] },
      });
      senders.push(sender);
    }
    await bench.addTen();
    const waiting = await almostSigned(bench, senders, WARM_UP + PER_SECOND * SECONDS);
    await offerActs(bench, waiting.splice(0, WARM_UP), receiver);
    await bench.gateway.analyze();
    const calm = together(await offer(bench, { perSecond: EVENTS_PER_SECOND, seconds: SECONDS, kinds: KINDS }));
    const processes = { gateway: bench.gateway.pid, worker: worker.pid, Postgres: bench.gateway.postmasterPid };
    const before = Object.values(processes).map(cpuMilliseconds);
    const [times, beside] = await Promise.all([
      offerActs(bench, waiting, receiver),
      offer(bench, { perSecond: EVENTS_PER_SECOND, seconds: SECONDS, kinds: KINDS }).then(together),
    ]);
    const used = Object.entries(processes).map(
      ([name, pid], place) => `${name} ${((cpuMilliseconds(pid) - (before[place] ?? 0)) / times.length).toFixed(0)} ms`,
    );
    return [
      {
        figure: `last act → completed, ${PER_SECOND}/s for ${SECONDS} s over ${SENDERS} organizations (5 pages, 2 signers, drawn and typed; until the webhook is there)`,
        value: `${times.length} completed`,
        peer: "aim: p99 at most 2 s",
        p50: milliseconds(times, 0.5),
        p99: milliseconds(times, 0.99),
      },
      { figure: "… CPU for each, with 4 webhooks of others; a worker has its sealers", value: used.join(", ") },
      {
        figure: `webhooks meanwhile, ${EVENTS_PER_SECOND}/s, from commit to received`,
        value: `${beside.length} received`,
        peer: `without: p50 ${milliseconds(calm, 0.5)}, p99 ${milliseconds(calm, 0.99)}`,
        p50: milliseconds(beside, 0.5),
        p99: milliseconds(beside, 0.99),
      },
      { figure: "load of the machine during the last minute of it", value: os.loadavg()[0]?.toFixed(1) ?? "unknown" },
    ];
  } finally {
    receiver.stop();
    await bench.stop();
  }
}

/** Envelopes of two signers, of whom the first has signed. */
async function almostSigned(bench: WebhookBench, senders: readonly Sender[], count: number): Promise<Ready[]> {
  const made: Ready[] = [];
  for (let place = 0; place < count; place++) {
    const sender = senders[place % senders.length] as Sender;
    const { id, participants } = await sent(bench.gateway, sender, 2);
    const [first = "", last = ""] = participants;
    await sign(bench.gateway, await ready(bench.admin, sender, id, first), DRAWN);
    made.push(await ready(bench.admin, sender, id, last));
  }
  return made;
}

/** The last acts, evenly; answers the milliseconds from each answer to its webhook, ascending. */
async function offerActs(bench: WebhookBench, acts: readonly Ready[], receiver: Receiver): Promise<number[]> {
  const started = performance.now();
  const times = acts.map(async (act, place) => {
    await pause(Math.max(0, started + (place * 1_000) / PER_SECOND - performance.now()));
    await sign(bench.gateway, act, TYPED);
    const answered = performance.now();
    // The webhook may be there before the answer is read.
    return Math.max(0, (await receiver.completed(act.envelopeId)) - answered);
  });
  return (await Promise.all(times)).sort((left, right) => left - right);
}

interface Receiver {
  readonly url: string;
  /** When the webhook of an envelope came. */
  completed(envelopeId: string): Promise<number>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const known = new Map<string, PromiseWithResolvers<number>>();
  const of = (id: string) => {
    const one = known.get(id) ?? Promise.withResolvers<number>();
    known.set(id, one);
    return one;
  };
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      of(JSON.parse(Buffer.concat(pieces).toString("utf8")).resource_id).resolve(performance.now());
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    completed: (id) => of(id).promise,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The most memory that the sealer's process has had, which the kernel keeps (VmHWM). */
async function memoryOfSeal(): Promise<Measurement> {
  const { certificate, privateKey } = await makeSealCertificate("bench", "test");
  const file = contract(100, 49.5 * 1024 ** 2);
  const begun = performance.now();
  const sealed = sealPdf(
    { pdf: file, at: new Date(), reason: "bench" },
    { certificate, key: openSealKey(certificate, privateKey) },
  );
  let isDone = false;
  const ended = sealed.finally(() => {
    isDone = true;
  });
  let peak = 0;
  while (!isDone) {
    for (const pid of childrenOf(process.pid)) peak = Math.max(peak, peakOf(pid));
    await pause(5);
  }
  await ended;
  return {
    figure: `peak memory of the sealer, a PDF of ${(file.length / 1024 ** 2).toFixed(1)} MiB`,
    value: `${(peak / 1024).toFixed(0)} MiB, ${(performance.now() - begun).toFixed(0)} ms`,
    peer: "limit: 1024 MiB",
    ratio: (peak / 1024 ** 2).toFixed(2),
  };
}

function childrenOf(pid: number): string[] {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
}

/** In KiB; 0 for a process that has ended, or is no sealer. */
function peakOf(pid: string): number {
  try {
    if (!fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("pdf-seal")) return 0;
    return Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
