/**
 * `npm run bench:versus <folder> [proofs|reads|graphql|webhookDeliveries|start …]`: this code against that of another folder
 * (`git worktree add <folder> <commit>` with its node_modules), in one run. Each side has a Postgres, a gateway and a
 * worker of its own; short windows of one and the other follow each other, so that a machine whose speed drifts is equally fast for
 * both. Prints the median of the ratios of neighbouring windows, and between which half of the ratios are. BENCH_PAIRS says how many pairs.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Load, type LoadRequest, load } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { PROOF_QUERY } from "./graphql.ts";
import { installPeers } from "./install-peers.ts";
import { median } from "./measurement.ts";
import { freePort, startOnce } from "./start.ts";
import type { SideAnswer, SideQuestion } from "./versus-side.ts";
import { type Child, startChild } from "./webhooks-child.ts";

const PAIRS = Number(process.env.BENCH_PAIRS ?? 20);
const SECONDS = 3;
const CONNECTIONS = 32;
/** About as long as the seconds of the other ways. */
const DELIVERIES = 20_000;

interface Side {
  readonly folder: string;
  readonly child: Child;
  readonly about: SideAnswer;
}

type Way = "proofs" | "reads" | "graphql" | "webhookDeliveries";

type Measured = Pick<Load, "rate" | "count">;

const ways: Readonly<Record<Way, (side: Side) => Promise<Measured>>> = {
  proofs: ({ about }) =>
    requests(about, {
      method: "POST",
      url: `${about.url}/api/v1/proofs`,
      body: () => JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: "benchmark" }),
    }),
  reads: ({ about }) =>
    requests(about, { method: "GET", url: about.url, path: () => `/api/v1/proofs/${anyOf(about.ids)}` }),
  graphql: ({ about }) =>
    requests(about, {
      method: "POST",
      url: `${about.url}/graphql`,
      body: () => JSON.stringify({ query: PROOF_QUERY, variables: { id: anyOf(about.ids) } }),
    }),
  webhookDeliveries: async ({ child }) => {
    const taken = await child.ask<number>({ ask: "deliver", count: DELIVERIES } satisfies SideQuestion);
    return { rate: DELIVERIES / (taken / 1_000), count: DELIVERIES };
  },
};

async function requests(about: SideAnswer, request: Omit<LoadRequest, "headers">): Promise<Measured> {
  const headers = { authorization: `Bearer ${about.token}`, "content-type": "application/json" };
  return await load({ ...request, headers }, CONNECTIONS, SECONDS);
}

const cpuOf = ({ child, about }: Side): number => cpuMilliseconds(child.pid) + cpuMilliseconds(about.postmasterPid);

const anyOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? "";

const [before, ...asked] = process.argv.slice(2);
if (before === undefined) throw new Error("say the folder of the other code");
const folders = [path.resolve(before), process.cwd()] as const;
installPeers(folders[0]);
console.log("| figure | before | after | median of after / before | middle half |\n| --- | --- | --- | --- | --- |");
for (const name of asked.length > 0 ? asked : [...Object.keys(ways), "start"]) {
  if (name === "start") await compareStarts();
  else if (name in ways) await compare(name as Way);
  else throw new Error(`there is no ${name} to compare`);
}

async function compare(name: Way): Promise<void> {
  const children = folders.map((folder) => startChild("versus-side.ts", folder));
  try {
    const sides: Side[] = [];
    for (const [place, child] of children.entries()) {
      const about = await child.ask<SideAnswer>({ ask: "start", way: name } satisfies SideQuestion);
      sides.push({ folder: folders[place] as string, child, about });
    }
    for (const side of sides) await ways[name](side);
    for (const { child } of sides) await child.ask({ ask: "analyze" } satisfies SideQuestion);
    await pairs(name, sides, async (side) => {
      const cpu = cpuOf(side);
      const { rate, count } = await ways[name](side);
      return { rate, cpu: (cpuOf(side) - cpu) / count };
    });
  } finally {
    for (const child of children) {
      await child.ask({ ask: "stop" } satisfies SideQuestion);
      await child.stop();
    }
  }
}

/** `npm start` on data that is there, until it answers ready. */
async function compareStarts(): Promise<void> {
  const port = await freePort();
  const sides = folders.map((folder) => ({ folder, dataDir: fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-")) }));
  try {
    for (const { folder, dataDir } of sides) await startOnce(dataDir, port, folder);
    await pairs("start", sides, async ({ folder, dataDir }) => ({
      rate: 1_000 / (await startOnce(dataDir, port, folder)),
    }));
  } finally {
    for (const { dataDir } of sides) fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Window {
  /** A second: more is better. */
  readonly rate: number;
  /** Of all processes of its side but the load generator, in milliseconds for each request. */
  readonly cpu?: number;
}

/** Windows of both in turns, each pair in the other order than the one before. */
async function pairs<Of>(figure: string, sides: readonly Of[], window: (side: Of) => Promise<Window>): Promise<void> {
  const [before, after] = sides as readonly [Of, Of];
  const all: { readonly before: Window; readonly after: Window }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = await window(pair % 2 === 0 ? before : after);
    const second = await window(pair % 2 === 0 ? after : before);
    all.push(pair % 2 === 0 ? { before: first, after: second } : { before: second, after: first });
  }
  row(`${figure}, a second`, all, ({ rate }) => rate);
  if (all[0]?.before.cpu !== undefined) row("… CPU for each, in ms", all, ({ cpu }) => cpu ?? Number.NaN);
}

function row<Value>(
  figure: string,
  all: readonly { readonly before: Value; readonly after: Value }[],
  of: (value: Value) => number,
): void {
  const ratios = all.map((each) => of(each.after) / of(each.before)).sort((left, right) => left - right);
  const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))]?.toFixed(3);
  const values = (["before", "after"] as const).map((side) => median(all.map((each) => of(each[side]))).toPrecision(4));
  console.log(`| ${[figure, ...values, at(0.5), `${at(0.25)} to ${at(0.75)}`].join(" | ")} |`);
}
