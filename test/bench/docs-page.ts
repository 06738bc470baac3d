import { type Browser, chromium } from "playwright-core";
import { buildWebAppApart } from "../../src/surfaces/web/build-apart.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

/** A phone on a slow network: 1.6 Mbit/s, 150 ms for a round trip, a quarter of the processor. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const PROCESSOR = { rate: 4 };

/** Expressions that are true once the page can be read: its text stands in it, or the editor shows its query. */
const TEXT = `document.body?.innerText.includes("Register a digest")`;
const EDITOR = `document.querySelector(".graphiql-query-editor .view-line") !== null`;

/** What a developer waits for and downloads on the pages that describe the API, with an empty cache. */
export async function docsPage(): Promise<Measurement[]> {
  // In its own process: Vite sets NODE_ENV, which the gateway reads.
  await buildWebAppApart({ warn: console.warn });
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const measurements: Measurement[] = [];
    for (const [path, isReadable] of [
      ["/docs", TEXT],
      ["/docs/proofs-of-existence", TEXT],
      ["/graphiql", EDITOR],
    ] as const) {
      const visits: Visit[] = [];
      // The first visit makes and compresses the page; it is not counted.
      await visit(browser, `${gateway.url}${path}`, isReadable);
      for (let round = 0; round < ROUNDS; round++)
        visits.push(await visit(browser, `${gateway.url}${path}`, isReadable));
      measurements.push(
        {
          figure: `${path}, until its text is painted (Chromium, 1.6 Mbit/s, 150 ms, a quarter of the processor, empty cache)`,
          value: `${median(visits.map(({ readable }) => readable)).toFixed(0)} ms`,
        },
        {
          figure: `${path}, all that is downloaded, compressed, headers included`,
          value: `${(median(visits.map(({ bytes }) => bytes)) / 1_000).toFixed(1)} kB`,
        },
      );
    }
    return measurements;
  } finally {
    await browser.close();
    await gateway.stop();
  }
}

interface Visit {
  /** Milliseconds from the start of the navigation until the text stands in a painted frame. */
  readonly readable: number;
  readonly bytes: number;
}

async function visit(browser: Browser, address: string, isReadable: string): Promise<Visit> {
  const context = await browser.newContext({ locale: "en" }); // nothing cached
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", PROCESSOR);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(`(() => {
    const look = () => (${isReadable})
      ? requestAnimationFrame(() => { globalThis.readableAfter = performance.now(); })
      : requestAnimationFrame(look);
    look();
  })()`);
  await page.goto(address, { waitUntil: "load", timeout: 120_000 });
  await page.waitForFunction(() => "readableAfter" in globalThis, undefined, { timeout: 60_000 });
  await page.waitForLoadState("networkidle");
  const readable = await page.evaluate<number>("globalThis.readableAfter");
  await context.close();
  return { readable, bytes };
}
