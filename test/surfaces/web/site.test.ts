// The pages of the site as they are served: languages, the operator's facts, the status of the service, what crawlers read, icons, the sample.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { registerSample } from "../../../src/main/register-sample.ts";
import { services } from "../../../src/services/services.ts";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { PAGE_LIST, PAGES_FOLDER, type PageEntry } from "../../../src/surfaces/web/built-files.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";

const OPERATOR = {
  OPERATOR_NAME: "<script>alert(1)</script> & $& Cia",
  OPERATOR_DETAILS: "CNPJ 12.345.678/0001-90 {{public_url}} {{#sample_code}} {{#is_not_ready}}",
  CONTACT_URL: 'mailto:oi@selo.test?subject="a"',
  PRIVACY_URL: "https://selo.test/privacy?a=1&b=2",
  TERMS_URL: "https://selo.test/terms",
  SAMPLE_CODE: "7Q2M-K9XT-4HBC",
};

let plain: TestGateway;
let named: { readonly baseUrl: string; stop(): Promise<void> };
beforeAll(async () => {
  plain = await startTestGateway({}, { freshness: { readinessMs: 0, sampleMs: 0 } });
  named = await startGatewayBeside(plain, OPERATOR);
});
afterAll(async () => {
  await named.stop();
  await plain.stop();
});

const ask = (url: string, headers: Record<string, string> = {}, { baseUrl } = plain as { readonly baseUrl: string }) =>
  fetch(baseUrl + url, { headers: { accept: "text/html", ...headers }, redirect: "manual" });
const read = async (...request: Parameters<typeof ask>) => (await ask(...request)).text();
const LIST = JSON.parse(
  fs.readFileSync(path.join(webAppFolder(), PAGES_FOLDER, PAGE_LIST), "utf8"),
) as readonly PageEntry[];

describe("languages", () => {
  test.each([
    ["/", "", "en"],
    ["/", "pt", "pt-BR"],
    ["/", "pt-PT,pt;q=0.9,en;q=0.8", "pt-BR"],
    ["/", "fr,en-GB;q=0.5", "en"],
    ["/", "fr", "en"],
    ["/?lang=pt-BR", "en", "pt-BR"],
    ["/?lang=en", "pt-BR", "en"],
    ["/?lang=xx", "pt-BR", "pt-BR"],
    ["/trust", "pt-BR", "pt-BR"],
    ["/status", "pt-BR", "pt-BR"],
    ["/nowhere", "pt-BR", "pt-BR"],
    ["/verify", "pt-BR", "pt-BR"],
  ])("%s for %j is in %s", async (url, accepted, language) => {
    const response = await ask(url, { "accept-language": accepted });
    expect(response.headers.get("content-language")).toBe(language);
    expect(response.headers.get("vary")).toMatch(/accept-language/i);
    expect(await response.text()).toContain(`<html lang="${language}">`);
  });

  test("a page in one language does not vary", async () => {
    const response = await ask("/guides/webhooks", { "accept-language": "pt-BR" });
    expect(response.headers.get("content-language")).toBe("en");
    expect(response.headers.get("vary") ?? "").not.toMatch(/accept-language/i);
  });
});

const PAGES = ["/", "/trust", "/status", "/guides", "/verify", "/nowhere", "/docs"];

describe("facts of the operator", () => {
  test.each(PAGES)("%s shows them, escaped", async (url) => {
    const html = await read(url, {}, named);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; Cia");
    expect(html).not.toContain("<script>alert");
    // Braces in a value are the operator's own text.
    expect(html).toContain(OPERATOR.OPERATOR_DETAILS);
    for (const escaped of [
      "mailto:oi@selo.test?subject=&quot;a&quot;",
      "https://selo.test/privacy?a=1&amp;b=2",
      OPERATOR.TERMS_URL,
    ])
      expect(html).toContain(`href="${escaped}"`);
    expect(html.replaceAll(OPERATOR.OPERATOR_DETAILS, "")).not.toMatch(/\{\{[#/^]?[a-z_]+\}\}/);
  });

  test.each(PAGES)("%s shows nothing of what is not set", async (url) => {
    const html = await read(url);
    expect(html).not.toMatch(/Operated by|Contact<|Privacy<|Terms<|\{\{[#/^]?[a-z_]+\}\}/);
    expect(html).toContain('href="/trust"');
  });
});

test.each(PAGES)("%s asks for its font at once: a font that comes late is not used", async (url) => {
  expect(await read(url)).toMatch(/<link rel="preload" href="\/assets\/inter-[\w-]+\.woff2" as="font"/);
});

describe("links to pages in English", () => {
  const linksOf = (html: string) =>
    [...html.matchAll(/<a ([^>]*href="\/(?:guides|docs)[^>]*)>/g)].map(([, attributes = ""]) =>
      /hreflang="en"/i.test(attributes),
    );
  const SITE = ["/", "/trust", "/status", "/verify", "/nowhere"];

  test.each(SITE)("are marked on %s in Portuguese, and the footer says so once", async (url) => {
    const html = await read(`${url}?lang=pt-BR`);
    const links = linksOf(html);
    expect(links.length).toBeGreaterThanOrEqual(2);
    expect(links).not.toContain(false);
    expect(html.match(/em inglês/g)).toHaveLength(1);
  });

  test.each([...SITE, "/guides"])("are not marked on %s in English", async (url) => {
    const links = linksOf(await read(`${url}?lang=en`));
    expect(links.length).toBeGreaterThanOrEqual(2);
    expect(links).not.toContain(true);
  });
});

test.each(PAGES)(
  "%s as text alone: links of the bar and the footer stand in lists, and no link follows at once",
  async (url) => {
    const html = (await read(url)).replaceAll(/<!--.*?-->/g, "");
    for (const part of ["header", "footer"]) {
      const [, inside = ""] = new RegExp(`<${part} class="(?:bar|foot)">(.*?)</${part}>`, "s").exec(html) ?? [];
      expect(inside).toMatch(/<ul>(<li[^>]*><a [^>]*>[^<]+<\/a><\/li>)+<\/ul>/);
      expect(inside).not.toMatch(/<\/a>(<\/?(span|small)[^>]*>)*<a /);
    }
  },
);

test.each(PAGES)("%s: the bar leads to verify, guides and the API", async (url) => {
  const [, bar = ""] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec(await read(`${url}?lang=en`)) ?? [];
  expect([...bar.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href)).toEqual(["/verify", "/guides", "/docs"]);
});

test("samples of code are coloured on the home page as in guides", async () => {
  const samples = [...(await read("/")).matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, code = ""]) => code);
  expect(samples.map((code) => code.includes('<span class="hljs-'))).toEqual([false, true, true, true]);
  expect(samples[1]).toContain('<span class="hljs-comment"># 201 Created</span>');
});

describe("/status", () => {
  test("says in words that the service works, when it was checked, and is not kept", async () => {
    const before = Date.now();
    const response = await ask("/status");
    expect([response.status, response.headers.get("cache-control"), response.headers.get("etag")]).toEqual([
      200,
      "no-store",
      null,
    ]);
    const html = await response.text();
    expect(html).toContain("Selo is working: files can be registered and proofs can be verified.");
    expect(html).not.toContain("Selo is not fully working right now.");
    const checks = Object.keys(((await (await ask("/readyz")).json()) as { checks: object }).checks);
    expect(html.match(/Works<\/span>/g)).toHaveLength(checks.length + 4);
    for (const name of ["Proofs of existence", "Electronic signatures", "DNS hosting", "Webhooks"])
      expect(html).toContain(`<h3>${name}</h3>`);
    const checkedAt = Date.parse(/<time dateTime="([^"]+)"/i.exec(html)?.[1] ?? "");
    expect(checkedAt).toBeGreaterThanOrEqual(before - 1_000);
    expect(checkedAt).toBeLessThanOrEqual(Date.now());
    expect(html).toMatch(/>\d{1,2} \w+ 20\d\d at \d\d:\d\d:\d\d UTC<\/time>/);
    expect(await read("/status?lang=pt-BR")).toMatch(
      />\d{1,2} de [a-zç]+ de 20\d\d (?:às (?!0[01])\d\d|à 0[01]):\d\d:\d\d \(horário de Brasília\)<\/time>/,
    );
  });

  test("says what /readyz says when a check fails, with nothing of how it failed", async () => {
    const admin = plain.database.admin;
    const { rows } = await admin.query<{ value: string }>("select public_url as value from gateway.readiness()");
    await plain.operator.changeSetting("public_url", "http://elsewhere.test");
    onTestFinished(async () => {
      await plain.operator.changeSetting("public_url", rows[0]?.value ?? "");
    });
    await expect.poll(async () => (await ask("/readyz")).status).toBe(503);
    const response = await ask("/status");
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain("Selo is not fully working right now.");
    expect(html).toContain("Links and receipts may name another address.");
    // DNS and webhooks name no address in what they send.
    expect(html.match(/Works<\/span>/g)).toHaveLength(5 + 2);
    expect(html.match(/Fails<\/span>/g)).toHaveLength(1 + 2);
    expect(html).not.toContain("elsewhere.test");
    expect(await read("/status?lang=pt-BR")).toContain("O Selo não está funcionando por completo agora.");
  });
});

describe("addresses for crawlers", () => {
  test("each listed page names its address in each of its languages", async () => {
    for (const { path: url, languages, isListed } of LIST) {
      if (url === null || url.includes(":")) continue;
      const html = await read(`${url}?lang=pt-BR`);
      const plainAddress = `http://selo.test${url}`;
      const own = languages.length > 1 ? `${plainAddress}?lang=pt-BR` : plainAddress;
      expect([url, html.includes(`<link rel="canonical" href="${own}"/>`)]).toEqual([url, isListed]);
      if (!isListed) continue;
      const alternates = [...html.matchAll(/<link rel="alternate" hrefLang="([^"]+)" href="([^"]+)"\/>/gi)];
      expect(alternates.map(([, language, href]) => [language, href])).toEqual(
        languages.length === 1
          ? []
          : [...languages.map((each) => [each, `${plainAddress}?lang=${each}`]), ["x-default", plainAddress]],
      );
      for (const property of ["og:title", "og:description", "og:locale", "og:image", "og:url"])
        expect([url, html.includes(`<meta property="${property}" content="`)]).toEqual([url, true]);
      expect(html).toContain('<meta property="og:image" content="http://selo.test/share.png"/>');
      expect(/<meta name="description" content="([^"]{8,})"/.test(html)).toBe(true);
    }
  });

  test.each(["/verify/7Q2M-K9XT-4HBC", "/nowhere"])("%s is kept out of search engines", async (url) => {
    const html = await read(url);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toMatch(/rel="canonical"|og:url/);
  });

  test("robots.txt names the sitemap, closes the API, and lets crawlers see the noindex of proofs", async () => {
    const response = await ask("/robots.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    const lines = (await response.text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining(["User-agent: *", "Disallow: /api/", "Sitemap: http://selo.test/sitemap.xml"]),
    );
    expect(lines).not.toContain("Disallow: /verify/");
  });

  test("sitemap.xml has each listed page in each language, and each address is there", async () => {
    const response = await ask("/sitemap.xml");
    expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const xml = await response.text();
    const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
    const expected = LIST.filter(({ isListed, path: url }) => isListed && url !== null).flatMap(
      ({ path: url, languages }) =>
        languages.length === 1
          ? [`http://selo.test${url}`]
          : languages.map((each) => `http://selo.test${url}?lang=${each}`),
    );
    expect(addresses).toEqual([...expected, "http://selo.test/docs"]);
    expect(addresses).toEqual(
      expect.arrayContaining(["http://selo.test/?lang=pt-BR", "http://selo.test/guides/webhooks"]),
    );
    expect(addresses.join()).not.toMatch(/:code|not-found/);
    for (const address of addresses)
      expect([address, (await ask(address.replace("http://selo.test", ""))).status]).toEqual([address, 200]);
    expect(xml.match(/hreflang="x-default"/g)).toHaveLength(addresses.filter((each) => each.includes("?lang=")).length);
  });
});

describe("icons are what they claim", () => {
  const PNG = "89504e470d0a1a0a";
  test.each([
    ["/apple-touch-icon.png", 180, 180],
    ["/share.png", 1200, 630],
  ])("%s: %i × %i", async (url, width, height) => {
    const response = await ask(url);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 8).toString("hex")).toBe(PNG);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
  });

  test("/favicon.ico: 16, 32 and 48", async () => {
    const response = await ask("/favicon.ico");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/vnd.microsoft.icon"]);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 6).toString("hex")).toBe("000001000300");
    for (const [index, size] of [16, 32, 48].entries()) {
      const at = 6 + 16 * index;
      const image = bytes.subarray(
        bytes.readUInt32LE(at + 12),
        bytes.readUInt32LE(at + 12) + bytes.readUInt32LE(at + 8),
      );
      expect([bytes.readUInt8(at), image.subarray(0, 8).toString("hex"), image.readUInt32BE(16)]).toEqual([
        size,
        PNG,
        size,
      ]);
    }
  });
});

describe("the sample", () => {
  /** What /verify/{code} says of a proof without its file: test/system/web/site.test.ts compares the two in a browser. */
  const said = {
    en: (organization: string, time: string) => [
      "Pending: the file is missing",
      `${organization} registered a file on ${time}.`,
    ],
    "pt-BR": (organization: string, time: string) => [
      "Pendente: falta o arquivo",
      `${organization} registrou um arquivo em ${time}.`,
    ],
  };
  const silent = { warn: () => {} };
  /** The cards of proofs on a page, as text. */
  const cardsOf = (html: string) =>
    [...html.matchAll(/<article class="slip".*?<\/article>/gs)].map(([card]) => card.replaceAll(/<[^>]*>/g, ""));
  const publicProof = async (code: string | null) =>
    (await fetch(`${plain.baseUrl}/api/v1/public/proofs/${code}`)).json() as Promise<{
      readonly organization: string;
      readonly environment: string;
      readonly registered_at: string;
      readonly verification_code: string;
      readonly verification: { readonly valid: boolean };
    }>;
  /** An instant as the home page says it in each language, computed without Intl's joining words. */
  const spoken = (instant = "") => {
    const time = new Date(instant);
    const [year, , day, hour, minute] = time.toISOString().split(/\D/);
    const inBrazil = new Date(time.getTime() - 3 * 3_600_000);
    const [yearThere, , dayThere, hourThere, minuteThere] = inBrazil.toISOString().split(/\D/);
    const monthName = (language: string, of: Date) => of.toLocaleString(language, { month: "long", timeZone: "UTC" });
    const join = hourThere === "00" || hourThere === "01" ? "à" : "às";
    return {
      en: `${Number(day)} ${monthName("en", time)} ${year} at ${hour}:${minute} UTC`,
      "pt-BR": `${Number(dayThere)}${dayThere === "01" ? "º" : ""} de ${monthName("pt-BR", inBrazil)} de ${yearThere} ${join} ${hourThere}:${minuteThere} (horário de Brasília)`,
    };
  };
  const FILES = ["selo-verify.mjs", "sample/contract.txt", "sample/evidence.json", "sample/keys.json"];

  test("is proved by the files and the command of the home page, and fails after one letter changed", async () => {
    const html = await read("/");
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sample-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    for (const file of FILES) {
      expect(html).toContain(`href="/${file}"`);
      fs.writeFileSync(
        path.join(folder, path.basename(file)),
        Buffer.from(await (await ask(`/${file}`)).arrayBuffer()),
      );
    }
    const [, command = ""] = /<code>node (selo-verify[^<]+)<\/code>/.exec(html) ?? [];
    const run = () => promisify(execFile)(process.execPath, command.split(" "), { cwd: folder });
    expect((await run()).stdout).toMatch(/^PROVED: /m);
    const contract = path.join(folder, "contract.txt");
    fs.writeFileSync(contract, fs.readFileSync(contract, "utf8").replace("sample", "simple"));
    await expect(run()).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED/m) });
  });

  test("without a code the home page offers the files alone, and says what they prove", async () => {
    const { payload } = (await (await ask("/sample/evidence.json")).json()) as { readonly payload: string };
    const { organization, file_name, registered_at } = JSON.parse(payload) as Readonly<Record<string, string>>;
    for (const [language, time] of Object.entries(spoken(registered_at))) {
      const html = await read(`/?lang=${language}`);
      expect(html).toContain('href="#sample"');
      expect(html).not.toMatch(/code\.svg|href="\/verify\//);
      const [card = "", ...others] = cardsOf(html);
      expect(others).toEqual([]);
      for (const fact of [`${file_name} `, ` ${organization} `, time, language === "en" ? "Matches" : "Confere"])
        expect(card).toContain(fact);
    }
    expect((await ask("/sample/code.svg")).status).toBe(404);
  });

  test("with the code of a live proof the home page says what the public sees of it, with a QR Code and the file to drop", async () => {
    const organization = await plain.newOrganization({ name: "Cartório & Filhos <Ltda>" });
    const code = await registerSample(plain.baseUrl, organization.live, silent);
    const own = await startGatewayBeside(plain, { SAMPLE_CODE: code ?? "" });
    onTestFinished(() => own.stop());
    // Before anyone asked for the page.
    const image = await ask("/sample/code.svg", {}, own);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(await image.text()).toMatch(/^<svg /);
    const proof = await publicProof(code);
    expect(proof).toMatchObject({
      environment: "live",
      verification: { valid: true },
      redacted: ["file_name", "file_size"],
    });
    for (const [language, time] of Object.entries(spoken(proof.registered_at))) {
      const html = await read(`/?lang=${language}`, {}, own);
      expect(html).toContain(`href="/verify/${code}"`);
      expect(html).toContain('href="/sample/contract.txt"');
      expect(html).not.toContain('href="#sample"');
      const [card = "", ...others] = cardsOf(html);
      expect(others).toEqual([]);
      for (const fact of said[language as "en"]("Cartório &amp; Filhos &lt;Ltda&gt;", time))
        expect(card).toContain(fact);
      expect(card).toContain(proof.verification_code);
    }
  });

  test("a proof that is no live one, is of another file, is not valid any more, or is not there is not shown", async () => {
    const organization = await plain.newOrganization();
    const other = await fetch(`${plain.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256: "ab".repeat(32) }),
    });
    const { verification_code: ofAnother } = (await other.json()) as { readonly verification_code: string };
    const ofTest = await registerSample(plain.baseUrl, organization.test, silent);
    for (const code of [ofTest, ofAnother, OPERATOR.SAMPLE_CODE]) {
      await plain.gateway.showSample(code ?? "");
      expect([code, (await read("/")).includes('href="#sample"')]).toEqual([code, true]);
      expect(plain.logs.filter((line) => line.includes(`"code":"${code}"`))).toHaveLength(1);
    }
    const live = await registerSample(plain.baseUrl, organization.live, silent);
    await plain.gateway.showSample(live ?? "");
    const before = await ask("/");
    expect(await before.text()).toContain(`href="/verify/${live}"`);
    await plain.database.admin.query("alter table signature.proofs disable trigger user");
    await plain.database.admin.query(
      "update signature.proofs set platform_signature = set_byte(platform_signature, 0, 255 - get_byte(platform_signature, 0)) where verification_code = $1",
      [live],
    );
    await plain.database.admin.query("alter table signature.proofs enable trigger user");
    expect((await publicProof(live)).verification.valid).toBe(false);
    const after = await ask("/");
    expect(await after.text()).toContain('href="#sample"');
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("is registered once: again it is the same proof, for one credit, and beside a test proof it is a live one", async () => {
    const { id, test: testToken, live } = await plain.newOrganization();
    const ofTest = await registerSample(plain.baseUrl, testToken, silent);
    const codes = [];
    for (let start = 0; start < 3; start++) codes.push(await registerSample(plain.baseUrl, live, silent));
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).not.toBe(ofTest);
    expect((await publicProof(codes[0] ?? null)).environment).toBe("live");
    const { rows } = await plain.database.admin.query(
      "select proof.environment, count(*)::integer as proofs from signature.proofs as proof where proof.tenant_id = $1 group by 1 order by 1",
      [id],
    );
    expect(rows).toEqual([
      { environment: "live", proofs: 1 },
      { environment: "test", proofs: 1 },
    ]);
    const balance = await fetch(`${plain.baseUrl}/api/v1/billing/balance`, {
      headers: { authorization: `Bearer ${live}` },
    });
    expect(await balance.json()).toMatchObject({
      credit_balances: expect.arrayContaining([{ kind: "signature", balance: 99 }]),
    });
  });
});

test("/trust links to the articles of the law, and says under no heading that no lawyer read it", async () => {
  for (const [language, said] of [
    ["en", "no lawyer has reviewed it yet"],
    ["pt-BR", "nenhum advogado a revisou ainda"],
  ] as const) {
    const html = await read(`/trust?lang=${language}`);
    expect(html).toMatch(new RegExp(`<div class="note"><svg.*?</svg><p>[^<]*${said}`));
    expect(html).toContain('href="https://www.planalto.gov.br/ccivil_03/_ato2019-2022/2020/lei/l14063.htm#art4"');
    expect(html).toContain('href="https://www.planalto.gov.br/ccivil_03/mpv/antigas_2001/2200-2.htm#art10"');
    expect(html).toContain('href="/api/v1/public/platform-key"');
  }
});

/** What the home page shows of each service of the product. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  signature: ["Proofs of existence", "Electronic signatures"],
  dns: ["DNS hosting"],
  webhooks: ["Webhooks"],
  platform: ["The record"],
  // Its people work in the others.
  accounts: [],
  // Until it issues invoices.
  invoicing: [],
};

test("the home page has a section for each service, and its heading counts them", async () => {
  const html = await read("/?lang=en");
  const sections = [...html.matchAll(/<section class="service"><div class="stack"><h3>([^<]+)/g)].map(
    ([, name]) => name,
  );
  expect(sections).toEqual(services.flatMap(({ name }) => SECTIONS[name] ?? [`no section of ${name}`]));
  expect(sections.length).toBe(5);
  expect(html).toContain("Four services, one record");
  expect(await read("/?lang=pt-BR")).toContain("Quatro serviços, um só registro");
});

test.each(["/", "/guides", "/guides/webhooks", "/trust", "/status", "/nowhere"])(
  "%s loads at most 15 kB of scripts, compressed, and no React",
  async (url) => {
    const html = await read(url);
    const scripts = [...html.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+\.js)"/g)].map(
      ([, src = ""]) => src,
    );
    expect(scripts.length).toBeGreaterThan(0);
    const texts = await Promise.all(scripts.map((src) => read(src, { "accept-encoding": "identity" })));
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(15_000);
    // What a script imports must be among those that were counted.
    for (const [, imported = ""] of texts.join("\n").matchAll(/from\s*"\.\/([^"]+)"/g))
      expect(scripts.map((src) => path.basename(src))).toContain(imported);
    // The script names what a page of development loads later, and that is more.
    expect(texts.join("\n").replace(/\bconst __vite__mapDeps=.*/, "")).not.toMatch(/react/i);
  },
);

test.each(["/verify", "/verify/7Q2M-K9XT-4HBC"])(
  "%s loads at most 120,000 bytes of page, scripts and styles, compressed",
  async (url) => {
    for (const language of ["en", "pt-BR"]) {
      const html = await read(url, { "accept-language": language });
      const linked = [...html.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+\.(?:js|css))"/g)];
      const files = [...new Set(linked.map(([, file = ""]) => file))];
      expect(files.filter((file) => file.endsWith(".js")).length).toBeGreaterThan(5);
      expect(files.filter((file) => file.endsWith(".css")).length).toBeGreaterThan(0);
      const texts = await Promise.all(files.map((file) => read(file, { "accept-encoding": "identity" })));
      const bytes = [html, ...texts].map((text) => gzipSync(text).length);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
      // What a script imports at once is among what was counted.
      for (const [, imported = ""] of texts.join("\n").matchAll(/from\s*"\.\/([^"]+)"/g))
        expect(files.map((file) => path.basename(file))).toContain(imported);
    }
  },
);
