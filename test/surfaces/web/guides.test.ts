// The guides as they are served, and every link of documents and guides.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTS, guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { renderMarkdown } from "../../../src/surfaces/web/markdown.ts";
import { GUIDES, readDocument } from "../../support/documents.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PAGES = guidePages(ROOT);
const HTML = { accept: "text/html,*/*;q=0.8" };

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const get = (url: string) => fetch(selo.baseUrl + url, { headers: HTML });
const pageOf = async (url: string) => await (await get(url)).text();
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const linksOf = (html: string) => [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = ""]) => href);

test("there are the guides that README promises, and each is on the page that lists them", async () => {
  const names = ["proofs", "verifying", "webhooks", "graphql", "analysts"];
  const more = ["operating", "configuration", "backup", "security-model", "errors", ...Object.keys(DOCUMENTS)];
  const paths = [...names, ...more].map((name) => `/guides/${name}`);
  expect([...PAGES.keys()].sort()).toEqual(["/guides", ...paths].sort());
  expect(linksOf(await pageOf("/guides"))).toEqual(expect.arrayContaining(paths));
});

describe.each([...PAGES])("%s", (url, source) => {
  test("is a page of its own with a title, without scripts, raw HTML or anything from elsewhere", async () => {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    const html = await response.text();
    const [, heading = ""] = /^# (.+)$/m.exec(readDocument(source)) ?? [];
    expect(html).toContain(`<title>Selo: ${heading}</title>`);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(script|style|img|iframe|form)|style=| on\w+=|<!--/i);
    for (const [tag] of html.matchAll(/<link [^>]*>/g)) expect(tag).toMatch(/href="\/assets\//);
    expect(html).toContain('name="viewport" content="width=device-width, initial-scale=1"');
  });

  test("leads nowhere but to what is there, anchors included", async () => {
    const html = await pageOf(url);
    expect(new Set(idsOf(html)).size).toBe(idsOf(html).length);
    for (const href of new Set(linksOf(html))) {
      if (/^https?:/.test(href)) continue;
      const [target = "", anchor] = href.split("#");
      const response = await get(target === "" ? url : target);
      expect([href, response.status]).toEqual([href, 200]);
      const text = await response.text();
      if (anchor !== undefined) expect([href, idsOf(text).includes(anchor)]).toEqual([href, true]);
    }
  });
});

test.each(["/guides/nothing", "/guides/index", "/guides/", "/guides/guides.css", "/guides/../package.json"])(
  "%s is not found",
  async (url) => {
    expect((await get(url)).status).toBe(404);
  },
);

test("errors has an anchor for each code that any answer can have", async () => {
  const { rows } = await selo.database.admin.query<{ code: string }>("select code from platform.error_codes");
  expect(rows.length).toBeGreaterThan(15);
  expect(idsOf(await pageOf("/guides/errors"))).toEqual(expect.arrayContaining(rows.map(({ code }) => code)));
});

/** Documents that people read in the repository. */
const READ_THERE = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "src/README.md", "sql/README.md"];
const MORE = ["test/README.md", "src/verifier/README.md", "src/receiver/README.md", ...GUIDES];

test.each([...READ_THERE, ...MORE])("%s links to files that exist, and to headings that they have", (file) => {
  const links: string[] = [];
  const html = (document: string, seen: string[] = []) =>
    renderMarkdown(readDocument(document), (href) => {
      seen.push(href);
      return null;
    }).html;
  html(file, links);
  for (const href of links) {
    if (/^(https?:|\/)/.test(href)) continue;
    const [target = "", anchor] = href.split("#");
    const place = target === "" ? file : path.join(path.dirname(file), target);
    expect([href, fs.existsSync(path.join(ROOT, place))]).toEqual([href, true]);
    if (anchor !== undefined) expect([href, idsOf(html(place)).includes(anchor)]).toEqual([href, true]);
  }
});

test("README has at most 120 lines", () => {
  expect(readDocument("README.md").split("\n").length - 1).toBeLessThanOrEqual(120);
});

describe("Markdown", () => {
  const render = (text: string) =>
    renderMarkdown(`# Title\n\n${text}`, (href) => (href.startsWith("/") ? href : null)).html;

  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=x>bold</b>",
    "<!-- comment -->",
    "![picture](https://elsewhere.example/x.png)",
    "[link](javascript:alert(1))",
  ])("%s brings no HTML of its own", (text) => {
    expect(render(text)).not.toMatch(/<script|<img|<b|<!--|<a |onclick|onerror/);
  });

  test("headings have the ids that GitHub gives them, and twice the same is told apart", () => {
    expect(render("## With Docker\n\n## `not_found`\n\n## With Docker")).toMatch(
      /id="with-docker".*id="not_found".*id="with-docker-1"/s,
    );
  });

  test("what is wider than a phone scrolls, and is reached by keyboard", () => {
    expect(render("```sh\na\n```\n\n| a |\n| --- |\n| b |")).toMatch(
      /<pre tabindex="0">.*<div class="wide" tabindex="0"><table>/s,
    );
  });
});
