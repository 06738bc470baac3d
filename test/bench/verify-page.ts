import { chromium } from "playwright-core";
import { registerProofs, startBenchGateway } from "./bench-gateway.ts";
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

/** What a stranger waits for on /verify/{code}: script over the wire, first paint, and both signatures verified in the page. */
export async function verifyPage(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const [proof] = await registerProofs(gateway, 1);
    const paints: number[] = [];
    const scripts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext(); // nothing cached
      const page = await context.newPage();
      await page.goto(`${gateway.url}/verify/${proof?.verification_code}`, { waitUntil: "networkidle" });
      const measured = await page.evaluate(() => {
        const { performance } = globalThis as unknown as {
          performance: {
            getEntriesByName(name: string): { startTime: number }[];
            getEntriesByType(type: string): { name: string; encodedBodySize: number }[];
          };
        };
        const files = performance.getEntriesByType("resource").filter(({ name }) => /\.js$/.test(name));
        return {
          paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
          script: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        };
      });
      paints.push(measured.paint);
      scripts.push(measured.script);
      await context.close();
    }
    return [
      {
        figure: "verify page, first contentful paint (Chromium, loopback, empty cache)",
        value: `${median(paints).toFixed(0)} ms`,
      },
      {
        figure: "verify page, script over the wire before a PDF has to be read (aim: at most 60 kB gzip)",
        value: `${(median(scripts) / 1_000).toFixed(1)} kB`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.stop();
  }
}
