// What the page /status says of the last 90 days, in both languages, and how lists are put into pages.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Fault, FaultRecord } from "../../../src/postgres/database.ts";
import { services } from "../../../src/services/services.ts";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { PAGES_FOLDER } from "../../../src/surfaces/web/built-files.ts";
import { faultFacts } from "../../../src/surfaces/web/fault-facts.ts";
import { fillPage } from "../../../src/surfaces/web/fill-page.ts";

const ofServices = await Promise.all(services.map(({ pages }) => pages?.()));
const needs = Object.assign({}, ...ofServices.map((pages) => pages?.needs));

const NONE: FaultRecord = { since: "2026-11-17T12:00:00.000000Z", is_whole: false, more: 0, faults: [] };
const OPEN: Fault = {
  component: "storage",
  extent: "part",
  began_at: "2026-11-27T03:05:00.000000Z",
  ended_at: null,
  seconds: 3_900,
};
const OVER: Fault = {
  component: "service",
  extent: "whole",
  began_at: "2026-11-20T10:00:00.000000Z",
  ended_at: "2026-11-21T11:12:10.000000Z",
  seconds: 90_730,
};

/** The section of the page, as text. */
function said(record: FaultRecord | null, language: "en" | "pt-BR"): string {
  const template = fs.readFileSync(path.join(webAppFolder(), PAGES_FOLDER, `status.${language}.html`), "utf8");
  const page = fillPage(template, faultFacts(record, language, needs));
  const [, section = ""] = /<section class="card stack" aria-labelledby="history">(.*?)<\/section>/s.exec(page) ?? [];
  expect(section).not.toMatch(/\{\{/);
  return section
    .replaceAll(/<\/(?:h2|h3|p|li|span)>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/ *\n\s*/g, "\n")
    .trim();
}

describe("en", () => {
  const END =
    "The service checks itself once a minute. A pause of less than five minutes, such as a restart, does not count as a fault. The service cannot see a fault of the network in front of it.";

  test("no fault, of an installation of ten days: since when it has been recorded", () => {
    expect(said(NONE, "en")).toBe(`The last 90 days\nNo fault since 17 November 2026 at 12:00 UTC.\n${END}`);
  });
  test("no fault in 90 days", () => {
    expect(said({ ...NONE, is_whole: true }, "en")).toBe(`The last 90 days\nNo fault in the last 90 days.\n${END}`);
  });
  test("one that lasts, and one that is over", () => {
    expect(said({ ...NONE, faults: [OPEN, OVER] }, "en").split("\n")).toEqual([
      "The last 90 days",
      "Not over",
      "The storage",
      "Had no room. Documents could be read, but not uploaded.",
      "Since 27 November 2026 at 03:05 UTC: 1 hour and 5 minutes",
      "Over",
      "The service",
      "Was down, or its background work stood still: mails and webhooks waited.",
      "From 20 November 2026 at 10:00 to 21 November 2026 at 11:12 UTC: 1 day, 1 hour and 12 minutes",
      `Recorded since 17 November 2026 at 12:00 UTC. ${END}`,
    ]);
  });
  test("more than the page shows", () => {
    const lines = said({ ...NONE, is_whole: true, more: 7, faults: [OVER] }, "en");
    expect(lines).toContain("\nAnd 7 older faults in this time.\n");
    expect(lines).not.toContain("Recorded since");
    expect(said({ ...NONE, more: 1, faults: [OVER] }, "en")).toContain("\nAnd one older fault in this time.\n");
  });
  test("nothing recorded yet, and a record that does not answer", () => {
    expect(said({ ...NONE, since: null }, "en")).toBe(`The last 90 days\nFaults are not recorded yet.\n${END}`);
    expect(said(null, "en")).toBe(`The last 90 days\nThe record of faults does not answer right now.\n${END}`);
  });
});

test("pt-BR", () => {
  const END =
    "O serviço verifica a si mesmo uma vez por minuto. Uma pausa de menos de cinco minutos, como ao reiniciar, não conta como falha. Uma falha da rede no caminho até ele não é percebida.";
  expect(said(NONE, "pt-BR")).toContain("Nenhuma falha desde 17 de novembro de 2026 às 09:00 (horário de Brasília).");
  expect(said({ ...NONE, faults: [OPEN, OVER] }, "pt-BR").split("\n")).toEqual([
    "Os últimos 90 dias",
    "Ainda não resolvido",
    "O armazenamento",
    "Estava sem espaço. Dava para abrir documentos, mas não para enviar novos.",
    "Desde 27 de novembro de 2026 à 00:05 (horário de Brasília): 1 hora e 5 minutos",
    "Resolvido",
    "O serviço",
    "Ficou fora do ar, ou o trabalho em segundo plano parou: e-mails e webhooks ficaram esperando.",
    "De 20 de novembro de 2026 às 07:00 a 21 de novembro de 2026 às 08:12 (horário de Brasília): 1 dia, 1 hora e 12 minutos",
    `Registrado desde 17 de novembro de 2026 às 09:00 (horário de Brasília). ${END}`,
  ]);
});

test.each(["service", "keys", "certificates", "storage", "nameservers"])(
  "%s has words for each extent",
  (component) => {
    const extents = component === "storage" || component === "nameservers" ? ["whole", "part"] : ["whole"];
    const texts = extents.flatMap((extent) =>
      (["en", "pt-BR"] as const).map(
        (language) =>
          said({ ...NONE, faults: [{ ...OVER, component, extent: extent as "whole" }] }, language).split("\n")[3],
      ),
    );
    expect(new Set(texts).size).toBe(extents.length * 2);
    for (const text of texts) expect(text).toMatch(/^[A-ZÀ-Ú].*\.$/);
  },
);

test("a fault of less than a minute took one", () => {
  expect(said({ ...NONE, faults: [{ ...OVER, seconds: 4 }] }, "en")).toContain(": 1 minute\n");
});

describe("a list in a page", () => {
  const PAGE = "{{a}}{{#list}}[{{#x}}x{{/x}}{{^x}}-{{/^x}}{{b}}{{a}}]{{/list}}{{^list}}none{{/^list}}{{b}}";
  test("is repeated with the facts of each entry, beside those of the page", () => {
    expect(
      fillPage(PAGE, {
        a: "A",
        b: "B",
        list: [
          { x: "", b: "1" },
          { x: null, b: "2" },
        ],
      }),
    ).toBe("A[x1A][-2A]B");
  });
  test("without entries is left out", () => {
    expect(fillPage(PAGE, { a: "A", b: "B", list: [] })).toBe("AnoneB");
  });
  test("escapes values, and does not fill placeholders inside them", () => {
    expect(
      fillPage("{{#list}}{{b}}{{/list}}{{c}}", { c: "{{b}}{{#list}}", list: [{ b: "<{{c}}>" }, { b: "{{b}}" }] }),
    ).toBe("&lt;{{c}}&gt;{{b}}{{b}}{{#list}}");
  });
});
