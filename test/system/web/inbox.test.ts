// /dev/inbox as a person sees it: nothing of a mail runs, and people of all kinds can read it.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { axe } from "../../support/axe.ts";
import { InboxStage, type Mail } from "../../support/inbox-stage.ts";
import { byLane } from "../../support/lane.ts";
import { DESKTOP, launchBrowser, PHONE } from "./browser.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
let stage: InboxStage;
beforeAll(async () => {
  stage = await InboxStage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.empty());

const HOSTILE: Mail = {
  subject: '<script>document.title = "stolen"</script> "quoted" & more',
  to: '"<img src=x onerror=alert(1)>" <ana@example.org>',
  text: "</pre><script>alert(2)</script>",
  html: '<!doctype html><html><body><script>parent.document.title = "stolen"; document.title = "stolen"</script><p>Shown.</p><form action="/x"><button>Go</button></form><img src="/healthz"><a href="javascript:alert(3)">link</a></body></html>',
};

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("hostile mail runs nothing, loads nothing, goes nowhere", async () => {
    const id = await stage.deliver(HOSTILE);
    const page = await browser.newPage({ baseURL: stage.selo.baseUrl });
    page.setDefaultTimeout(30_000);
    const requests: string[] = [];
    // What a policy stops never finishes.
    page.on("requestfinished", (request) => requests.push(new URL(request.url()).pathname));
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.goto("/dev/inbox");
    expect(await page.locator(".mails a").textContent()).toBe(HOSTILE.subject);
    await page.locator(".mails a").click();
    await page.frameLocator("iframe").getByText("Shown.").waitFor();
    expect(await page.locator("h1").textContent()).toBe(HOSTILE.subject);
    expect(await page.locator("pre").first().textContent()).toContain(HOSTILE.text);
    expect(await page.locator("script, img").count()).toBe(0);
    expect(await page.title()).toContain("<script>");
    for (const what of ["link", "Go"]) await page.frameLocator("iframe").getByText(what).dispatchEvent("click");
    // Alone in its own window it may do no more.
    await page.goto(`/dev/inbox/${id}/html`);
    expect(await page.getByText("Shown.").isVisible()).toBe(true);
    expect(await page.title()).not.toBe("stolen");
    for (const what of ["link", "Go"]) await page.getByText(what).dispatchEvent("click");
    expect(dialogs).toBe(0);
    // The style of all pages, its fonts included.
    const own = requests.filter((path) => !/^\/assets\/[\w-]+\.(css|woff2)$/.test(path));
    expect([...new Set(own)].sort()).toEqual(
      ["/dev/inbox", "/dev/inbox/style.css", `/dev/inbox/${id}`, `/dev/inbox/${id}/html`].sort(),
    );
    await page.close();
  });

  test("the frame is of another origin and may run no scripts; the policies say the same", async () => {
    const id = await stage.deliver(HOSTILE);
    expect(await (await stage.get(`/dev/inbox/${id}`)).text()).toContain('<iframe sandbox=""');
    const policyOf = async (url: string) => (await stage.get(url)).headers.get("content-security-policy");
    expect(await policyOf(`/dev/inbox/${id}`)).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(await policyOf(`/dev/inbox/${id}`)).not.toMatch(/script-src|unsafe/);
    expect(await policyOf(`/dev/inbox/${id}/html`)).toMatch(/^default-src 'none';.*sandbox$/);
    expect(await policyOf(`/dev/inbox/${id}/html`)).not.toMatch(/script-src|allow-/);
  });

  const looks = [
    ["phone", PHONE, "light"],
    ["desktop-dark", DESKTOP, "dark"],
    ["phone-dark", PHONE, "dark"],
    ["desktop", DESKTOP, "light"],
  ] as const;
  test.each(looks.slice(0, byLane({ lane: 2, full: 4 })))(
    "%s: list and mail have no fault that axe finds (WCAG 2.2 AA), and no sideways scrolling",
    async (_name, viewport, colorScheme) => {
      const { id } = await stage.selo.operator.createOrganization({
        name: "Imobiliária São João",
        email: `${"long".repeat(14)}@example.org`,
      });
      await stage.selo.operator.createToken(id, "live", "x".repeat(100), ["proofs:read"]);
      await stage.sendOne();
      await stage.deliver({ subject: "A second mail" });
      const context = await browser.newContext({ baseURL: stage.selo.baseUrl, viewport, colorScheme, locale: "en" });
      const page = await context.newPage();
      for (const [state, open] of [
        ["list", () => page.goto("/dev/inbox")],
        ["mail", () => page.getByRole("link", { name: /^New API token/ }).click()],
      ] as const) {
        await open();
        await page.locator(state === "list" ? ".mails" : "iframe").waitFor();
        if (state === "mail") await page.locator("summary").click();
        const { violations } = await axe(page)
          .withTags(RULES)
          .exclude("iframe")

          .analyze();
        expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
          [],
        );
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(overflow)).toBe(0);
      }
      await context.close();
    },
  );
});
