import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { webAppFolder } from "../../src/surfaces/web/build.ts";
import { buildWebAppApart } from "../../src/surfaces/web/build-apart.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

/** A cheap phone on a slow network: 1.6 Mbit/s down, 0.75 up, 150 ms for a round trip, a quarter of the processor. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const PROCESSOR = { rate: 4 };
const PHONE = { width: 390, height: 844 };
const FILE = { name: "contract.pdf", content: "The contract, version 3." };
const PATIENCE_MS = 60_000;

interface MeasuredPage {
  readonly path: string;
  /** The budget of its scripts: kB, gzip. */
  readonly scripts: number;
  /** What a visitor does before the scripts are counted, so that those are counted that load later; answers the longest task meanwhile. */
  readonly use?: (page: Page, browser: Browser) => Promise<number>;
}

/** What hashes files and checks signatures loads when the page already works, and the budget includes it all the same. */
const INCLUDED = /\/(?:worker|hybrid-signature)-[^/]*$/;
/** Budgets of all pages; those of scripts differ. */
const PAINT_MS = 1_800;
const SHIFT = 0.1;
const TASK_MS = 50;

/**
 * What a stranger waits for on the pages, beside the budgets: the largest paint, how far the page shifts, the longest task while a code is
 * typed, and the scripts. Cold cache, fonts included; the median of BENCH_ROUNDS visits. Then, without throttling, from dropping a file to the verdict.
 */
export async function web(): Promise<Measurement[]> {
  // In its own process: Vite sets NODE_ENV, which the gateway reads.
  await buildWebAppApart({ warn: console.warn });
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const code = await registerFile(gateway);
    const pages: readonly MeasuredPage[] = [
      { path: "/", scripts: 15 },
      { path: "/guides/webhooks", scripts: 15 },
      { path: "/trust", scripts: 15 },
      { path: "/status", scripts: 15 },
      { path: "/verify", scripts: 120, use: typeCode },
      { path: `/verify/${code}`, scripts: 120, use: dropFile },
    ];
    const rows: Measurement[] = [];
    for (const budget of pages) {
      const visits: Visit[] = [];
      for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, gateway.url, budget));
      rows.push(...rowsOf({ ...budget, path: budget.path.replace(code, "{code}") }, visits));
    }
    const dropped: number[] = [];
    for (let round = 0; round < ROUNDS; round++) dropped.push(await dropUnthrottled(browser, gateway.url, code));
    return [
      ...rows,
      {
        figure: "/verify/{code}, from dropping a small file to the verdict (loopback, not throttled)",
        value: `${median(dropped).toFixed(0)} ms`,
      },
      { figure: "load of the machine during the last minute of it", value: os.loadavg()[0]?.toFixed(1) ?? "unknown" },
    ];
  } finally {
    await browser.close();
    await gateway.stop();
  }
}

/** The scripts of one page beside its budget, of one visit. The pages are built, and a gateway answers. */
export async function firstLoadOf({ url }: BenchGateway, budget: MeasuredPage): Promise<Measurement> {
  const browser = await chromium.launch(CHROMIUM);
  try {
    const { gzip } = await visit(browser, url, budget);
    return scriptsOf(budget, gzip);
  } finally {
    await browser.close();
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;

const scriptsOf = ({ path: page, scripts }: MeasuredPage, bytes: number) =>
  beside(`${page}, scripts of the first load, gzip`, bytes, scripts * 1_000, kilobytes);

function rowsOf({ path: page, scripts }: MeasuredPage, visits: readonly Visit[]): Measurement[] {
  const of = (read: (visit: Visit) => number) => median(visits.map(read));
  const encodings = [...new Set(visits.flatMap((visit) => visit.encodings))].sort().join(", ");
  return [
    beside(
      `${page}, largest contentful paint`,
      of(({ paint }) => paint),
      PAINT_MS,
      (value) => `${value.toFixed(0)} ms`,
    ),
    beside(
      `${page}, layout shift`,
      of(({ shift }) => shift),
      SHIFT,
      (value) => value.toFixed(3),
    ),
    ...(visits.some(({ shiftInAll, shift }) => shiftInAll > shift)
      ? [
          {
            figure: `${page}, layout shift after it was used`,
            value: of(({ shiftInAll, shift }) => shiftInAll - shift).toFixed(3),
          },
        ]
      : []),
    ...(page === "/verify"
      ? [
          beside(
            `${page}, longest task while typing`,
            of(({ task }) => task),
            TASK_MS,
            (value) => `${value.toFixed(0)} ms`,
          ),
        ]
      : []),
    scriptsOf(
      { path: page, scripts },
      of(({ gzip }) => gzip),
    ),
    ...(visits.some(({ later }) => later > 0)
      ? [{ figure: `${page}, scripts that load afterwards, gzip`, value: kilobytes(of(({ later }) => later)) }]
      : []),
    { figure: `${page}, scripts over the wire (${encodings})`, value: kilobytes(of(({ wire }) => wire)) },
    { figure: `${page}, everything over the wire, fonts included`, value: kilobytes(of(({ all }) => all)) },
  ];
}

function beside(figure: string, value: number, budget: number, inWords: (value: number) => string): Measurement {
  return { figure, value: inWords(value), peer: `budget: ${inWords(budget)}`, ratio: (value / budget).toFixed(2) };
}

/** Answers its code. By its whole evidence, so that the page can check the signatures. */
async function registerFile({ url, organization }: BenchGateway): Promise<string> {
  const response = await fetch(`${url}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
    body: JSON.stringify({
      sha256: createHash("sha256").update(FILE.content).digest("hex"),
      file_name: FILE.name,
      file_size: Buffer.byteLength(FILE.content),
    }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { verification_code: string }).verification_code;
}

interface Visit {
  /** Milliseconds until the largest contentful paint. */
  readonly paint: number;
  /** Cumulative layout shift until the page is at rest, the result of a look-up included. */
  readonly shift: number;
  /** The same after the page was used. */
  readonly shiftInAll: number;
  /** Milliseconds of the longest task while something was typed. */
  readonly task: number;
  /** Bytes of the scripts of the first load, as a browser gets them that knows gzip only. */
  readonly gzip: number;
  /** The same of scripts that load when the page already works. */
  readonly later: number;
  /** Bytes of all scripts as Chromium got them, and how they were compressed. */
  readonly wire: number;
  readonly encodings: readonly string[];
  /** Bytes of all answers. */
  readonly all: number;
}

/** Collects what the browser measures, from before the first byte of the page. */
const OBSERVERS = `
  globalThis.measured = { paint: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.paint = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

async function visit(browser: Browser, url: string, { path: page, use }: MeasuredPage): Promise<Visit> {
  const context = await browser.newContext({ locale: "en", viewport: PHONE, baseURL: url }); // nothing cached
  const tab = await context.newPage();
  tab.setDefaultTimeout(PATIENCE_MS);
  const session = await context.newCDPSession(tab);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", PROCESSOR);
  await tab.addInitScript(OBSERVERS);
  const requests: Request[] = [];
  context.on("requestfinished", (request) => requests.push(request));
  await tab.goto(page, { waitUntil: "load" });
  // A second later the page begins to load what it needs when the network is gone.
  const first = new Set(requests.map((request) => new URL(request.url()).pathname));
  const isFirst = (name: string) => first.has(name) || INCLUDED.test(name);
  await tab.waitForLoadState("networkidle");
  await tab.evaluate("document.fonts.ready");
  // Read before the page is used, which ends the browser's search for the largest paint.
  const paint = await tab.evaluate<number>("measured.paint");
  const shift = await tab.evaluate<number>("measured.shift");
  const task = (await use?.(tab, browser)) ?? 0;
  await tab.waitForLoadState("networkidle");
  const shiftInAll = await tab.evaluate<number>("measured.shift");
  const answers = await Promise.all(requests.map(answerOf));
  await context.close();
  const scripts = answers.filter(({ pathname }) => /\.(js|wasm)$/.test(pathname));
  const names = [...new Set(scripts.map(({ pathname }) => pathname))];
  return {
    paint,
    shift,
    shiftInAll,
    task,
    gzip: sum(names.filter(isFirst).map(gzipBytes)),
    later: sum(names.filter((name) => !isFirst(name)).map(gzipBytes)),
    wire: sum(scripts.map(({ bytes }) => bytes)),
    encodings: scripts.map(({ encoding }) => encoding),
    all: sum(answers.map(({ bytes }) => bytes)),
  };
}

async function answerOf(request: Request): Promise<{ pathname: string; bytes: number; encoding: string }> {
  const [{ responseBodySize, responseHeadersSize }, response] = await Promise.all([
    request.sizes(),
    request.response(),
  ]);
  const encoding = response?.headers()["content-encoding"] ?? "not compressed";
  return { pathname: new URL(request.url()).pathname, bytes: responseBodySize + responseHeadersSize, encoding };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** As a browser gets it that knows gzip only. */
function gzipBytes(script: string): number {
  return fs.statSync(path.join(webAppFolder(), `${script}.gz`)).size;
}

/** Types a code, key by key; answers the longest task of the page meanwhile. */
async function typeCode(page: Page, browser: Browser): Promise<number> {
  await page.locator("#code").focus();
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  await page.keyboard.type("7Q2MK9XT4HBC", { delay: 120 });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const isPage = (event: TraceEvent) => event.name === "thread_name" && event.args?.name === "CrRendererMain";
  const threads = new Set(traceEvents.filter(isPage).map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error("the trace has no tasks");
  return Math.max(...tasks.map(({ dur = 0 }) => dur / 1_000));
}

/** As Chromium writes it; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

const VERDICT = ".verdict.ok";

/** With the file the page loads what hashes it and what checks both signatures. */
async function dropFile(page: Page): Promise<number> {
  const buffer = Buffer.from(FILE.content);
  await page.locator('input[type="file"]').setInputFiles({ name: FILE.name, mimeType: "application/pdf", buffer });
  await page.locator(VERDICT).waitFor();
  return 0;
}

/** Milliseconds from the drop of a file to the painted verdict, timed in the page itself: neither this process nor the way to it counts. */
async function dropUnthrottled(browser: Browser, url: string, code: string): Promise<number> {
  const context = await browser.newContext({ locale: "en", baseURL: url });
  const page = await context.newPage();
  await page.goto(`/verify/${code}`, { waitUntil: "networkidle" });
  const milliseconds = await page.evaluate<number>(`(async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(FILE.content)}], ${JSON.stringify(FILE.name)}));
    const isVerified = () => document.querySelector(${JSON.stringify(VERDICT)}) !== null;
    const begun = performance.now();
    await new Promise((resolve, reject) => {
      new MutationObserver(() => isVerified() && requestAnimationFrame(resolve))
        .observe(document.body, { childList: true, subtree: true, attributes: true });
      setTimeout(() => reject(new Error("no verdict: " + document.body.innerText)), 30_000);
      dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
    });
    return performance.now() - begun;
  })()`);
  await context.close();
  return milliseconds;
}
