// The verify page as a thing to read: what is in view, what moves, what is printed, and what works without a network or a script.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { heading, launchBrowser, openPage, shownChecks, threadLoaded, verdict, type WatchedPage } from "./browser.ts";
import {
  evidenceJson,
  type OwnProof,
  type PageFile,
  type PublicKey,
  pageFile,
  platformKeys,
  receipt,
  register,
} from "./proofs.ts";

let selo: TestGateway;
let browser: Browser;
let proof: OwnProof;
let keys: PublicKey[];
let ownReceipt: PageFile;
let watched: WatchedPage;
const file = pageFile("contract.pdf", "The contract.");
const SMALL = { width: 390, height: 844 };
const LARGE = { width: 1280, height: 900 };

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  const organization = await selo.newOrganization({ name: "Acme Ltda" });
  proof = await register(selo, organization.live, file);
  keys = await platformKeys(selo);
  ownReceipt = await receipt(selo, organization.live, proof);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});
afterEach(() => watched.close());

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  watched = await openPage(browser, selo.baseUrl, options);
  await watched.page.goto(url);
  return watched.page;
}

/** Collects how the page shifts. */
const SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries())
      if (!shift.hadRecentInput) shifts.push({ value: shift.value, at: shift.startTime });
  }).observe({ type: "layout-shift", buffered: true });
`;
const PAINTED = "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))";

const add = (page: Page, ...files: readonly PageFile[]) => page.locator('input[type="file"]').setInputFiles([...files]);

describe.each([
  ["a phone", SMALL],
  ["a desktop", LARGE],
])("on %s", (_device, viewport) => {
  test("the result is in view after every action, and what follows does not move while it is found out", async () => {
    watched = await openPage(browser, selo.baseUrl, { viewport });
    const { page } = watched;
    await page.addInitScript(SHIFTS);
    // Slow enough for the place of the result to be painted, and measured, first.
    const measured = Promise.withResolvers<void>();
    const painted = () => page.evaluate(PAINTED);
    await page.route("**/api/**", async (route) => {
      await measured.promise;
      await painted();
      await route.continue();
    });
    await page.goto(`/verify/${proof.verification_code}`);
    await expectInView(page);
    const top = () => page.locator("section.inputs").evaluate((card) => card.getBoundingClientRect().top);
    const before = await top();
    measured.resolve();
    await verdict(page, "Pending: the file is missing", "info");
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
    await expectInView(page);

    const now = async () => Number(await page.evaluate("performance.now()"));
    const acts: { readonly began: number; readonly settled: number }[] = [];
    const act = async (doing: () => Promise<unknown>, text: string, kind: Parameters<typeof verdict>[2]) => {
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      const began = await now();
      await doing();
      await verdict(page, text, kind);
      await expectInView(page);
      await painted();
      acts.push({ began, settled: await now() });
    };
    await act(() => add(page, file), "Matches", "ok");
    const remove = page.getByRole("button", { name: "Remove contract.pdf" });
    await act(() => remove.click(), "Pending: the file is missing", "info");
    await act(() => add(page, pageFile("other.pdf", "Another one.")), "Does not match", "bad");
    const shifts = (await page.evaluate("shifts")) as Shift[];
    // What somebody's act moves is no shift. The browser itself leaves out half a second after a click; a busy machine takes longer.
    const unasked = shifts.filter(({ at }) => !acts.some(({ began, settled }) => at >= began && at <= settled));
    expect(cumulativeShift(unasked), JSON.stringify({ shifts, acts })).toBeLessThan(0.1);
  });
});

interface Shift {
  readonly value: number;
  /** In milliseconds. */
  readonly at: number;
}

/** CLS: the largest sum of shifts within 5 seconds, with less than one second between two of them. */
function cumulativeShift(shifts: readonly Shift[]): number {
  let largest = 0;
  let window = { first: 0, last: Number.NEGATIVE_INFINITY, sum: 0 };
  for (const { value, at } of shifts) {
    const isSame = at - window.last < 1_000 && at - window.first < 5_000;
    window = isSame ? { ...window, last: at, sum: window.sum + value } : { first: at, last: at, sum: value };
    largest = Math.max(largest, window.sum);
  }
  return largest;
}

/** The verdict's sentence, whole. */
async function expectInView(page: Page): Promise<void> {
  const inView = () =>
    page.locator("#verdict").evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top >= 0 && bottom <= (each.ownerDocument.defaultView?.innerHeight ?? 0);
    });
  // The script of the page may have just begun, and nothing is answered meanwhile.
  await expect.poll(inView).toBe(true);
}

describe.each([
  ["en", "letter by letter"],
  ["pt-BR", "letra por letra"],
])("an unknown code, %s", (locale, advice) => {
  test("has a band that is as high as its words, and the advice once; nothing slides meanwhile", async () => {
    watched = await openPage(browser, selo.baseUrl, { viewport: SMALL, locale });
    const { page } = watched;
    await page.addInitScript(SHIFTS);
    await page.route("**/api/**", async (route) => {
      await page.evaluate(PAINTED);
      await route.continue();
    });
    await page.goto("/verify/0000-0000-0000");
    await page.locator(".verdict.warn .lead").waitFor();
    const empty = await page.locator(".verdict > .page").evaluate((band) => {
      const ends = [...band.children].map((each) => each.getBoundingClientRect().bottom);
      return band.getBoundingClientRect().bottom - Math.max(...ends);
    });
    expect(Math.abs(empty)).toBeLessThan(1);
    expect((await page.locator("main").innerText()).split(advice)).toHaveLength(2);
    await page.evaluate(PAINTED);
    const shifts = (await page.evaluate("shifts")) as Shift[];
    expect(cumulativeShift(shifts), JSON.stringify(shifts)).toBeLessThan(0.1);
  });
});

test("on a desktop no card is stretched and none is missing beside the limits: the cards stand below each other", async () => {
  const page = await open(`/verify/${proof.verification_code}`, { viewport: LARGE });
  const expectNoGap = async () => {
    const { blank, gaps } = await page.locator(".columns").evaluate((columns) => {
      const cards = [...columns.children].filter((each) => !each.classList.contains("side"));
      const boxes = cards.map((card) => card.getBoundingClientRect());
      return {
        // Below what stands last in it, without its padding and border.
        blank: cards.map((card, place) => {
          const last = [...card.children].at(-1)?.getBoundingClientRect().bottom ?? 0;
          return Math.round((boxes[place]?.bottom ?? 0) - last - 25);
        }),
        gaps: boxes.slice(1).map((box, place) => Math.round(box.top - (boxes[place]?.bottom ?? 0))),
      };
    });
    expect(gaps.length).toBeGreaterThan(2);
    expect(new Set(gaps)).toEqual(new Set([24]));
    for (const each of blank) expect(each, `${blank}`).toBeLessThan(2);
  };
  await verdict(page, "Pending: the file is missing", "info");
  await page.locator(".offline").waitFor();
  await expectNoGap();
  await add(page, file);
  await verdict(page, "Matches", "ok");
  await expectNoGap();
  // As much beside the cards as there is in Portuguese on a narrow desktop, and more.
  await page.locator(".side").evaluate((side) => {
    side.append(Object.assign(side.ownerDocument.createElement("p"), { innerHTML: "<br>".repeat(40) }));
  });
  await expectNoGap();
});

describe("with the network gone", () => {
  test("a loaded page still checks a receipt, and evidence, with keys that it knows", async () => {
    const page = await open("/verify");
    await threadLoaded(page);
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await add(page, ownReceipt, file);
    await verdict(page, "Pending: the service’s keys are missing", "warn");
    expect(await shownChecks(page)).toMatchObject({ file: "passed", ed25519: "passed", ml_dsa_87: "passed" });
    await page.getByText("Whose keys?").click();
    await page.getByLabel("Paste keys").fill(JSON.stringify({ platform_keys: keys }));
    await page.getByRole("button", { name: "Use these keys" }).click();
    expect(await verdict(page, "Matches", "ok")).toContain("contract.pdf was registered by Acme Ltda");
    expect(await page.locator('[data-group="record"] .word').innerText()).toBe("Pending");

    await page.getByRole("button", { name: "Verify another code" }).click();
    const changes = { organization: "Forger Ltd" };
    await add(page, pageFile("evidence.json", evidenceJson(proof, keys, changes)), file);
    await verdict(page, "Does not match", "bad");
    await page.getByRole("button", { name: "Verify another code" }).click();
    await add(page, pageFile("evidence.json", evidenceJson(proof, keys)), pageFile("contract.pdf", "Another."));
    expect(await verdict(page, "Does not match", "bad")).toContain("contract.pdf is a different file");
    for (const complaint of watched.complaints.splice(0)) expect(complaint).toMatch(/ERR_INTERNET_DISCONNECTED/);
  });
});

describe("the sentence", () => {
  test("has the visitor's own time zone by its name, and the details have UTC", async () => {
    const page = await open(`/verify/${proof.verification_code}`, {
      locale: "pt-BR",
      timezoneId: "America/Sao_Paulo",
    });
    await add(page, file);
    const sentence = await verdict(page, "Confere", "ok");
    expect(sentence).toMatch(
      /^contract\.pdf foi registrado por Acme Ltda em \d+º? de \p{L}+ de \d{4} às? \d\d:\d\d \(horário de Brasília\)\.$/u,
    );
    const utc = String(proof.evidence["registered_at"]);
    expect(await page.locator("section.details").innerText()).toContain(`${utc.slice(11, 26).replace(".", ",")}`);
    const local = new Intl.DateTimeFormat("pt-BR", { timeStyle: "short", timeZone: "America/Sao_Paulo" });
    expect(sentence).toContain(local.format(new Date(utc)));
    expect(await page.title()).toBe(`Confere: contract.pdf, ${proof.verification_code} · Selo`);
    // Signatures are several.
    expect(await page.locator("section.checks .word").allInnerTexts()).toEqual(["Confere", "Conferem", "Confere"]);
  });

  test("can be copied as a link, and read by a camera", async () => {
    const page = await open(`/verify/${proof.verification_code}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await add(page, file);
    await verdict(page, "Matches", "ok");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    const address = await page.evaluate("navigator.clipboard.readText()");
    expect(address).toMatch(new RegExp(`^http.*/verify/${proof.verification_code}$`));
    await page.getByRole("img", { name: `QR Code: ${address}` }).waitFor();
  });

  test("is shown to be copied by hand where the browser does not let pages copy", async () => {
    const page = await open(`/verify/${proof.verification_code}`);
    await add(page, file);
    await verdict(page, "Matches", "ok");
    await page.evaluate(`Object.defineProperty(navigator, "clipboard", { value: undefined })`);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByLabel("Link to this proof, to copy").waitFor();
    expect(await page.evaluate("document.activeElement.value ?? String(getSelection())")).toContain("/verify/");
  });
});

test("on paper: whole dates, the address, the code and the QR code, every check, and nothing to click", async () => {
  const page = await open(`/verify/${proof.verification_code}`, { viewport: SMALL });
  await add(page, file);
  await verdict(page, "Matches", "ok");
  expect(await page.locator(".share").isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  const paper = await page.locator("body").innerText();
  expect(paper).not.toContain("today");
  // Once, and then where.
  expect(paper.match(/Checked[^.]+/g)).toEqual([
    expect.stringMatching(/^Checked in this browser on \d+ \w+ \d{4} at \d\d:\d\d( UTC| \(.+\))$/),
  ]);
  expect(await page.locator(".verdict").innerText()).toMatch(/^http.*\/verify\/[0-9A-Z-]{14}$/m);
  expect(paper).toContain("ML-DSA-87, which also withstands quantum computers: valid.");
  expect(await page.locator(".share .code").isVisible()).toBe(true);
  // It is loaded when it is first needed.
  await page.locator(".share svg.qr").waitFor();
  for (const hidden of [".inputs", ".keys", ".offline", ".bar nav", ".verdict .row"])
    expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
});

test.each([
  ["/verify/{code}", (code: string) => `/verify/${code}`],
  ["/verify", () => "/verify"],
])("on paper, a file that %s does not know is shown with the time and the address, too", async (_where, pathOf) => {
  const page = await open(pathOf(proof.verification_code));
  await add(page, pageFile("other.pdf", "Another one."));
  await page.locator(".verdict[aria-busy='false'] .lead").waitFor();
  await page.emulateMedia({ media: "print" });
  const paper = await page.locator(".verdict").innerText();
  const [, address] = /Checked on \d+ \w+ \d{4} at \d\d:\d\d(?: UTC| \(.+\)),? at (http.*)$/m.exec(paper) ?? [];
  expect(address?.replace(/^http:\/\/[^/]+/, "")).toBe(pathOf(proof.verification_code));
});

test("a page of a proof that matches is printed on two sheets", async () => {
  const page = await open(`/verify/${proof.verification_code}`);
  await add(page, file);
  await verdict(page, "Matches", "ok");
  await page.locator(".share svg.qr").waitFor({ state: "attached" });
  expect((await PDFDocument.load(await page.pdf({ format: "A4" }))).getPageCount()).toBe(2);
});

test("in forced colours every mark is there", async () => {
  const page = await open(`/verify/${proof.verification_code}`, { forcedColors: "active" });
  await add(page, file);
  await verdict(page, "Matches", "ok");
  const unseen = await page.locator(".icon").evaluateAll(
    (icons) =>
      icons.filter((icon) => {
        const style = (each: typeof icon) => each.ownerDocument.defaultView?.getComputedStyle(each);
        const [ground, sign] = [...icon.children].slice(-2);
        if (ground === undefined || sign === undefined) return true;
        const under = style(ground)?.fill === "none" ? style(ground)?.stroke : style(ground)?.fill;
        return style(sign)?.stroke === (style(ground)?.fill === "none" ? "none" : under);
      }).length,
  );
  expect(unseen).toBe(0);
});

describe("without scripts", () => {
  test.each(["/verify", "/verify/7Q2M-K9XT-4HBC"])("%s says what to do", async (url) => {
    const page = await open(url, { javaScriptEnabled: false });
    await heading(page, "This page needs JavaScript");
    await page.getByRole("link", { name: "Download the verifier" }).waitFor();
    expect(await page.locator(".needs-script").first().isVisible()).toBe(false);
  });
});

/** Paths of the scripts that the page asked for. */
const scriptsOf = ({ requests }: WatchedPage) =>
  requests.map((request) => new URL(request.url()).pathname).filter((name) => name.endsWith(".js"));

test("what the page loads before it stands, with hashing and what checks signatures: at most 120 kB of scripts (gzip)", async () => {
  const page = await open("/verify");
  await page.waitForLoadState("load");
  const first = scriptsOf(watched);
  const assets = fs.readdirSync(path.join(webAppFolder(), "assets"));
  const later = assets
    .filter((name) => /^(?:worker|hybrid-signature)-[\w-]{8}\.js$/.test(name))
    .map((name) => `/assets/${name}`);
  expect(later.length).toBe(2);
  const bytes = [...new Set([...first, ...later])].map(
    (name) => gzipSync(fs.readFileSync(path.join(webAppFolder(), name)), { level: 9 }).length,
  );
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
  // Who signed is shown by what loads with the reader of reports: code, words and styles.
  const styles = watched.requests
    .map((request) => new URL(request.url()).pathname)
    .filter((name) => name.endsWith(".css"));
  const holding = (files: readonly string[]) => {
    const text = files.map((name) => fs.readFileSync(path.join(webAppFolder(), name), "utf8")).join();
    return ["Add the report", "Adicionar o relatório", ".signers"].filter((part) => text.includes(part));
  };
  expect(holding([...first, ...styles])).toEqual([]);
  expect(
    holding(
      assets.filter((name) => name.startsWith("later-") && /\.(js|css)$/.test(name)).map((name) => `/assets/${name}`),
    ),
  ).toHaveLength(3);
});

test.each([
  ["en", /words-en-/],
  ["pt-BR", /words-pt-br-/],
])(
  "a proof shows in %s with the words of that language alone, and before what checks signatures is loaded",
  async (locale, own) => {
    watched = await openPage(browser, selo.baseUrl, { locale });
    const { page } = watched;
    // The page waits a second before it loads the rest. Here it waits for ever.
    await page.addInitScript(`{
      const wait = setTimeout;
      globalThis.setTimeout = (work, after, ...given) => (after === 1_000 ? 0 : wait(work, after, ...given));
    }`);
    await page.goto(`/verify/${proof.verification_code}`);
    await page.locator(".verdict.info").waitFor();
    await page.waitForLoadState("networkidle");
    const names = scriptsOf(watched);
    expect(names.filter((name) => own.test(name)).length).toBe(1);
    expect(names.filter((name) => /words-(?:en|pt-br)-|hybrid-signature-/.test(name)).length).toBe(1);
  },
);

test("without what checks signatures nothing matches, and once it can be loaded everything does", async () => {
  watched = await openPage(browser, selo.baseUrl);
  const { page, complaints } = watched;
  const script = /\/assets\/hybrid-signature-/;
  await page.route(script, (route) => route.abort());
  await page.goto(`/verify/${proof.verification_code}`);
  await add(page, file);
  await verdict(page, "No answer", "warn");
  expect(await page.locator("[data-check]").count()).toBe(0);
  await page.unroute(script);
  await page.getByRole("button", { name: "Try again" }).click();
  await verdict(page, "Matches", "ok");
  expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", ml_dsa_87: "passed" });
  for (const complaint of complaints.splice(0)) expect(complaint).toMatch(/ERR_FAILED/);
});

test("a proof registered without a name is whole on record, and its signatures are checked at once", async () => {
  const organization = await selo.newOrganization({ name: "Acme Ltda" });
  const { body: bare } = await call(selo, "POST", "/proofs", {
    token: organization.live,
    body: { sha256: "ab".repeat(32) },
  });
  const page = await open(`/verify/${bare.verification_code}`);
  await verdict(page, "Pending: the file is missing", "info");
  expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", ml_dsa_87: "passed" });
});

test("the proof and the keys are asked for once, before the script that shows them has come", async () => {
  watched = await openPage(browser, selo.baseUrl);
  const { page, requests } = watched;
  const asked = () =>
    requests.map((request) => new URL(request.url()).pathname).filter((name) => name.startsWith("/api/"));
  const both = ["/api/v1/public/platform-key", `/api/v1/public/proofs/${proof.verification_code}`];
  let askedBefore: readonly string[] = [];
  await page.route(/\/assets\/verify-[^/]*\.js$/, async (route) => {
    await expect.poll(() => asked().length).toBe(both.length);
    askedBefore = asked();
    await route.continue();
  });
  await page.goto(`/verify/${proof.verification_code}`);
  await verdict(page, "Pending: the file is missing", "info");
  expect([...askedBefore].sort()).toEqual(both);
  expect(asked().sort()).toEqual(both);
});
