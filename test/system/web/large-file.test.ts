// A large file: hashed where it lies, with progress, in bounded memory, and it can be stopped.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { launchBrowser, openPage } from "./browser.ts";

/** Far more than the browser may take for it. */
const BYTES = byLane({ lane: 512, full: 1_024 }) * 1024 ** 2;
/** So many that nobody hashes them before a button is pressed. */
const ENDLESS_BYTES = 64 * 1024 ** 3;
let selo: TestGateway;
let browser: Browser;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-web-"));
const file = path.join(folder, "film.bin");
const endless = path.join(folder, "endless.bin");

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway(), launchBrowser()]);
  // Sparse but for its ends: what is hashed is all of it.
  fs.writeFileSync(file, "begin");
  fs.truncateSync(file, BYTES - 3);
  fs.appendFileSync(file, "end");
  fs.writeFileSync(endless, "");
  fs.truncateSync(endless, ENDLESS_BYTES);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await browser.close();
  await selo.stop();
});

test("is hashed with progress in bounded memory, and only its digest is sent", async () => {
  const { page, requests, close } = await openPage(browser, selo.baseUrl);
  await page.goto("/verify");
  const before = memoryOfBrowser();
  const started = performance.now();
  await page.locator('input[type="file"]').setInputFiles(file);
  const seen = new Set<string>();
  let most = 0;
  while ((await page.locator(".fingerprint").count()) === 0 && performance.now() - started < 150_000) {
    const shown = await page.locator(".percent").allInnerTexts();
    for (const percent of shown) seen.add(percent);
    most = Math.max(most, memoryOfBrowser());
    await page.waitForTimeout(100);
  }
  expect(await page.locator(".fingerprint .print").innerText()).toBe(await digestOf(file));
  expect(seen.size).toBeGreaterThan(3);
  expect(most - before).toBeLessThan(300 * 1024 ** 2);
  const sizes = requests.map((request) => request.postDataBuffer()?.length ?? 0);
  expect(Math.max(...sizes)).toBeLessThan(100);
  await close();
}, 180_000);

test("can be cancelled", async () => {
  const { page, requests, close } = await openPage(browser, selo.baseUrl);
  await page.goto("/verify");
  await page.locator('input[type="file"]').setInputFiles(endless);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("progress").waitFor({ state: "detached" });
  expect(requests.filter((request) => request.method() === "POST")).toEqual([]);
  await close();
});

/** Resident bytes of all processes of the browser. Pages they share count more than once, before and after alike. */
function memoryOfBrowser(): number {
  const processes = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = fs
          .readFileSync(`/proc/${pid}/stat`, "latin1")
          .replace(/^.*\) /s, "")
          .split(" ");
        return [{ pid: Number(pid), parent: Number(fields[1]), bytes: Number(fields[21]) * 4_096 }];
      } catch {
        return []; // ended meanwhile
      }
    });
  const family = new Set([process.pid]);
  // A child may have a smaller id than its parent: until nothing is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  family.delete(process.pid);
  return processes.reduce((sum, { pid, bytes }) => sum + (family.has(pid) ? bytes : 0), 0);
}

async function digestOf(name: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fs.createReadStream(name, { highWaterMark: 1024 ** 2 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
