// The guides as they are served, and every link of documents and guides.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTS, guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { renderMarkdown } from "../../../src/surfaces/web/markdown.ts";
import { GUIDES, readDocument } from "../../support/documents.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";

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
  const use = [
    "proofs",
    "documents",
    "signatures",
    "verifying",
    "templates",
    "connectors",
    "webhooks",
    "invoices",
    "graphql",
    "analysts",
    "errors",
  ];
  const dns = ["dns", "dns-records", "dns-zone-files", "dns-delegation", "dnssec", "dns-programs"];
  const run = [
    "operating",
    "docker",
    "nameservers",
    "tokens",
    "keys",
    "monitoring",
    "commands",
    "configuration",
    "backup",
  ];
  const trust = ["security-model", "audit-coverage", ...Object.keys(DOCUMENTS)];
  const paths = [...use, ...dns, ...run, ...trust].map((name) => `/guides/${name}`);
  expect([...PAGES.keys()].sort()).toEqual(["/guides", ...paths].sort());
  expect(linksOf(await pageOf("/guides"))).toEqual(expect.arrayContaining(paths));
});

describe.each([...PAGES])("%s", (url, source) => {
  test("is a separate page with a title and the script of all pages, without raw HTML or anything from elsewhere", async () => {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    const html = await response.text();
    const [, heading = ""] = /^# (.+)$/m.exec(readDocument(source)) ?? [];
    expect(html).toContain(
      url === "/guides" ? "<title>Guides · Selo</title>" : `<title>${heading} · Selo guides</title>`,
    );
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(style|img|iframe|form)| style=| on\w+=|<!--/i);
    expect(html.match(/<script/g)).toHaveLength(1);
    for (const [tag] of html.matchAll(/<(?:link|script) [^>]*>/g))
      expect(tag).toMatch(
        /(href|src)="(\/assets\/|\/favicon\.ico|\/apple-touch-icon\.png|http:\/\/selo\.test\/guides)/,
      );
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

describe("the examples", () => {
  test.each([...PAGES.keys()])("of %s name the address of this deployment, and no token", async (url) => {
    const html = await pageOf(url);
    expect(html).not.toMatch(/localhost:4000|demo_|demo\.json"\)|\{\{/);
    const [set] = /^SELO_URL=.*$/m.exec(readDocument(PAGES.get(url) ?? "")) ?? [];
    if (set !== undefined) expect(html.replaceAll(/<[^>]+>/g, "")).toContain("SELO_URL=http://selo.test\n");
  });

  describe("in development", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-guides-"));
    afterAll(() => fs.rmSync(folder, { recursive: true }));
    const tokens = { live: "svc_live_demo", test: "svc_test_demo" };
    const demo = { base_url: "http://localhost", organization: { id: "1", number: 1 }, tokens, dns_key: "dns_demo" };
    fs.writeFileSync(path.join(folder, "demo.json"), JSON.stringify(demo));
    const open = async (
      url: string,
      environment: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) => {
      const development = { SELO_DATA_DIR: folder, PUBLIC_URL: "http://localhost:4000", ...environment };
      const gateway = await startGatewayBeside(selo, development);
      try {
        const response = await fetch(gateway.baseUrl + url, { headers: { ...HTML, ...headers } });
        return {
          cache: response.headers.get("cache-control"),
          text: (await response.text()).replaceAll(/<[^>]+>/g, ""),
        };
      } finally {
        await gateway.stop();
      }
    };

    test.each([
      ["/guides/proofs", "TOKEN=svc_test_demo"],
      ["/guides/webhooks", "TOKEN=svc_test_demo"],
      ["/guides/dns", "KEY=dns_demo"],
    ])("of %s have the demo organization's test token, and no cache keeps it", async (url, token) => {
      const { cache, text } = await open(url);
      expect(cache).toBe("no-store");
      expect(text).toContain(`SELO_URL=http://localhost:4000\n${token}\n`);
    });

    test("have no token for a request that comes through a proxy", async () => {
      const { cache, text } = await open("/guides/proofs", {}, { "x-forwarded-for": "203.0.113.7" });
      expect(cache).toBe("no-cache");
      expect(text).toContain("SELO_URL=http://localhost:4000\nTOKEN=…\n");
    });

    test("have no token where the deployment has an address for others", async () => {
      const { text } = await open("/guides/proofs", { PUBLIC_URL: "https://selo.example" });
      expect(text).toContain("SELO_URL=https://selo.example\nTOKEN=…\n");
    });

    test("have no token in production", async () => {
      expect((await open("/guides/proofs", { NODE_ENV: "production" })).text).not.toMatch(/svc_\w+_demo/);
    });
  });
});

test.each([
  ["/guides/", "/guides"],
  ["/guides/webhooks/?a=b", "/guides/webhooks?a=b"],
  ["/guides/?a=b?c", "/guides?a=b?c"],
  ["/trust/", "/trust"],
  ["/verify/7Q2M-K9XT-4HBC/", "/verify/7Q2M-K9XT-4HBC"],
  ["/verify/7Q2M-K9XT-4HBC/?lang=en", "/verify/7Q2M-K9XT-4HBC?lang=en"],
])("%s leads to %s", async (from, to) => {
  const response = await fetch(selo.baseUrl + from, { headers: HTML, redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([308, to]);
});

test("the menu of every guide has the groups of the list, with the current guide marked, and leads to the guides around it", async () => {
  const menu = async (url: string) => {
    const html = await pageOf(url);
    const menus = [...html.matchAll(/<nav aria-label="Guides">(.*?)<\/nav>/gs)].map(([, links = ""]) => links);
    // Once: who hears or reads the page as text meets each link a single time.
    expect(menus).toHaveLength(1);
    const [links = ""] = menus;
    const current = [...links.matchAll(/<a href="([^"]+)" aria-current="page">/g)].map(([, href]) => href);
    const [, pager = ""] = /<nav class="pager"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    return {
      links: linksOf(links),
      current,
      pager: linksOf(pager),
      phone: /<summary>(.*?)<\/summary>/.exec(html)?.[1],
    };
  };
  const list = await menu("/guides");
  const inOrder = list.links.filter((url) => PAGES.has(url));
  expect([...inOrder].sort()).toEqual([...PAGES.keys()].filter((url) => url !== "/guides").sort());
  expect(list).toMatchObject({ current: [], pager: [], phone: "All guides" });
  for (const [at, url] of inOrder.entries()) {
    const around = [inOrder[at - 1], inOrder[at + 1]].filter((each) => each !== undefined);
    expect(await menu(url)).toMatchObject({ links: list.links, current: [url], pager: around });
  }
  expect((await menu("/guides/webhooks")).phone).toBe("Use Selo: Webhooks");
});

test.each(["/guides/nothing", "/guides/index", "/guides/index/", "/guides/guides.css", "/guides/../package.json"])(
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

test("an entry of CHANGELOG is one line of at most 200 characters", () => {
  const lines = readDocument("CHANGELOG.md").split("\n").slice(4);
  expect(lines.filter((line) => line.startsWith(" ") || line.length > 200)).toEqual([]);
});

test("SECURITY has at most 15,000 bytes", () => {
  expect(Buffer.byteLength(readDocument("SECURITY.md"))).toBeLessThanOrEqual(15_000);
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
      /<pre tabindex="0">.*<div class="table" tabindex="0"><table role="table">/s,
    );
  });

  test("the first column names the rows, and cards on a phone show what the others are", () => {
    const html = render("| name | | meaning |\n| --- | --- | --- |\n| `a` | b | c < d |");
    expect(html).toContain('<td role="cell"></td>');
    expect(html).toContain('<th scope="col" role="columnheader">meaning</th>');
    expect(html).toContain('<th scope="row" role="rowheader"><code>a</code></th>');
    expect(html).toContain('<td role="cell">b</td><td role="cell" data-label="meaning">c &lt; d</td>');
    expect(render("| a | b |\n| --- | --- |\n| c | d |")).not.toContain("data-label");
  });

  test("an option stays on one line; long code may be broken, also after the parts of a name", () => {
    const long = `--option ${"a".repeat(40)}_b`;
    const html = render(
      ["--jurisdiction br|us|intl", "zone list", long, "-<b>"].map((code) => `\`${code}\``).join(" and "),
    );
    expect(html).toContain('<code class="whole">--jurisdiction br|us|intl</code> and <code>zone list</code>');
    expect(html).toContain(`<code class="long">--option ${"a".repeat(40)}_<wbr>b</code>`);
    expect(html).toContain('<code class="whole">-&lt;b&gt;</code>');
  });

  test("words of code have classes, and code stays text", () => {
    expect(render('```ts\nconst a = "<b>"; // c\n```')).toMatch(
      /<figcaption>TypeScript<\/figcaption>.*<span class="hljs-keyword">const<\/span>.*&lt;b&gt;.*<span class="hljs-comment">/s,
    );
    expect(render("```nothing\na < b\n```")).toContain('<figure class="sample"><pre tabindex="0"><code>a &lt; b');
  });

  test("a quote is a note", () => {
    expect(render("> **Soon.** Now.")).toMatch(
      /<div class="note"><svg .*<\/svg><div><p><strong>Soon\.<\/strong> Now\.<\/p>/,
    );
  });
});
