/** One side of `versus.ts`: in the folder of its code, with the benchmark's own parts of that folder. */
import path from "node:path";
import type * as gateways from "./bench-gateway.ts";
import { answer, machineMs } from "./webhooks-child.ts";
import type * as webhooks from "./webhooks-support.ts";

const PROOFS = 1_000;
/** Events of one transaction. */
const BATCH = 50;
const EMITTERS = 2;

export type SideQuestion =
  | { readonly ask: "start"; readonly way: string }
  | { readonly ask: "analyze" }
  | { readonly ask: "deliver"; readonly count: number }
  | { readonly ask: "stop" };

export interface SideAnswer {
  readonly url: string;
  readonly token: string;
  readonly postmasterPid: number;
  /** Of proofs that are there. */
  readonly ids: readonly string[];
}

const ofThisFolder = (file: string) => import(path.resolve("test/bench", file));
let gateway: gateways.BenchGateway | undefined;
let bench: webhooks.WebhookBench | undefined;
let kinds: readonly string[] = [];

answer(async (question: SideQuestion) => {
  if (question.ask === "start") return await start(question.way);
  if (question.ask === "analyze") return await gateway?.analyze();
  if (question.ask === "stop") return await (bench ?? gateway)?.stop();
  return await deliver(question.count);
});

async function start(way: string): Promise<SideAnswer> {
  const { startBenchGateway, registerProofs } = (await ofThisFolder("bench-gateway.ts")) as typeof gateways;
  let ids: readonly string[] = [];
  if (way === "webhookDeliveries") {
    const { startWebhookBench } = (await ofThisFolder("webhooks-support.ts")) as typeof webhooks;
    bench = await startWebhookBench();
    gateway = bench.gateway;
    kinds = (await bench.addTen()).map(({ kind }) => kind);
    await bench.startWorker();
    await bench.untilRecorded(0);
  } else {
    gateway = await startBenchGateway();
    if (way !== "proofs") ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
  }
  return { url: gateway.url, token: gateway.organization.live, postmasterPid: gateway.postmasterPid, ids };
}

/** Answers the milliseconds from the first event that is emitted until the last attempt is recorded. */
async function deliver(count: number): Promise<number> {
  if (bench === undefined) throw new Error("start webhookDeliveries first");
  const { admin, emit, forget, untilRecorded } = bench;
  await forget();
  const started = machineMs();
  let written = 0;
  await Promise.all(
    Array.from({ length: EMITTERS }, async () => {
      while (written < count) {
        written += BATCH;
        await emit(admin, BATCH, kinds);
      }
    }),
  );
  await untilRecorded(count);
  return machineMs() - started;
}
