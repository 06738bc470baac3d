import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { ensureWebApp, webAppFolder } from "../../src/surfaces/web/build.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const CHROMIUM = {
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
  ],
};
const FILE = { name: "contract.pdf", content: "The contract, version 3." };

/**
 * What a stranger waits for on /verify/{code}: scripts, first paint, and, once the file is dropped, hashing it, both
 * signatures in the page and "Verified".
 */
export async function verifyPage(): Promise<Measurement[]> {
  await ensureWebApp();
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const address = `${gateway.url}/verify/${await registerFile(gateway)}`;
    const visits: Visit[] = [];
    for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, address));
    return [
      {
        figure: "verify page, first contentful paint (Chromium, loopback, empty cache)",
        value: `${median(visits.map(({ paint }) => paint)).toFixed(0)} ms`,
      },
      {
        figure: "verify page, from dropping a small file to verified",
        value: `${median(visits.map(({ verified }) => verified)).toFixed(0)} ms`,
      },
      {
        figure: "verify page, all scripts until then, gzip, the hashing worker included (aim: at most 60 kB)",
        value: `${(median(visits.map(({ scripts }) => gzipBytes(scripts))) / 1_000).toFixed(1)} kB`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.stop();
  }
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
  /** Milliseconds. */
  readonly paint: number;
  readonly verified: number;
  /** Paths of the scripts that were fetched. */
  readonly scripts: readonly string[];
}

async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({ locale: "en" }); // nothing cached
  const scripts = new Set<string>();
  // Those of workers as well.
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(js|wasm)$/.test(pathname)) scripts.add(pathname);
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator(".banner.neutral").waitFor();
  // Timed in the page itself: neither this process nor the way to it counts.
  const measured = await page.evaluate<Omit<Visit, "scripts">>(`(async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(FILE.content)}], ${JSON.stringify(FILE.name)}));
    const isVerified = () => document.querySelector(".banner.good") !== null;
    const begun = performance.now();
    await new Promise((resolve, reject) => {
      new MutationObserver(() => isVerified() && requestAnimationFrame(resolve))
        .observe(document.body, { childList: true, subtree: true });
      setTimeout(() => reject(new Error("not verified: " + document.body.innerText)), 30_000);
      dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
    });
    const verified = performance.now() - begun;
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
    return { paint, verified };
  })()`);
  await context.close();
  return { ...measured, scripts: [...scripts] };
}

/** As a browser without brotli gets them. */
function gzipBytes(scripts: readonly string[]): number {
  return scripts.reduce((sum, script) => sum + fs.statSync(path.join(webAppFolder(), `${script}.gz`)).size, 0);
}
