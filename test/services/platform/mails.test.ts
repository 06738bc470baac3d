// What every mail has in common: one layout, two languages, one button, nothing from elsewhere.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../src/package-root.ts";
import { mailTime } from "../../../src/services/platform/mails/mail-time.ts";
import { guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { renderMarkdown } from "../../../src/surfaces/web/markdown.ts";
import {
  composeSample,
  LANGUAGES,
  NO_OPERATOR,
  OPERATOR,
  PUBLIC_URL,
  productMails,
  type SampleMail,
  sampleMails,
} from "../../support/sample-mails.ts";

const forms = Object.entries(sampleMails).flatMap(([name, sample]) =>
  LANGUAGES.map((language) => ({ name, language, sample })),
);

const decoded = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");

/** The texts between the tags of a mail's body, in order. */
function textsOf(html: string): string[] {
  const [, body = ""] = /<body[^>]*>(.*)<\/body>/s.exec(html) ?? [];
  return body
    .split(/<[^>]*>/)
    .map((text) => decoded(text).trim())
    .filter((text) => !["", "·"].includes(text));
}

const hrefsOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => decoded(href));

/** Lines of the text part: facts as label and value, words and addresses as they are. */
function partsOf(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) =>
      line.startsWith("  ")
        ? line
            .trim()
            .split(/: (.*)/s)
            .slice(0, 2)
        : [line],
    )
    .filter((line) => !["", "-- "].includes(line));
}

test("every kind of mail has a sample here", () => {
  expect([...new Set(Object.values(sampleMails).map(({ kind }) => kind))].sort()).toEqual(
    Object.keys(productMails).sort(),
  );
});

describe.each(forms)("$name in $language", ({ sample, language }) => {
  const mail = composeSample(sample, { language });
  const html = mail.html;
  const isToParticipant = "participant_id" in sample.data;

  test("text and HTML say the same", () => {
    // The brand stands beside the mark; what lists of mails show stands in no text part.
    const [preheader = "", ...said] = textsOf(html).filter((text) => text !== "Selo");
    expect(preheader).not.toBe("");
    expect(mail.text).not.toContain(preheader);
    for (const words of said) expect(mail.text).toContain(words);
    for (const href of hrefsOf(html)) expect(mail.text).toContain(href.replace(/^mailto:/, ""));
    const shown = [...said, ...hrefsOf(html).map((href) => href.replace(/^mailto:/, ""))];
    for (const line of partsOf(mail.text)) {
      const [label = "", address = ""] = line.split(/: (?=\S+$)/);
      expect(
        shown.includes(line) ||
          shown.includes(line.replace(/:$/, "")) ||
          (shown.includes(label) && shown.includes(address)),
        line,
      ).toBe(true);
    }
  });

  test("one button, whose address stands alone on a line of the text part", () => {
    const buttons = [...html.matchAll(/<a class="button" href="([^"]*)"/g)].map(([, href = ""]) => decoded(href));
    expect(buttons).toHaveLength(1);
    expect(mail.text.split("\n")).toContain(buttons[0]);
  });

  test("the button leads to a place that exists: a guide and its heading", () => {
    const [address = ""] = hrefsOf(html);
    const { origin, pathname, hash } = new URL(address);
    expect(origin).toBe(PUBLIC_URL);
    // A participant goes to the signing page.
    if (isToParticipant) return expect(pathname).toMatch(/^\/sign\/[0-9a-f-]{36}$/);
    const source = guidePages(packageRoot()).get(pathname) ?? "";
    const guide = renderMarkdown(fs.readFileSync(path.join(packageRoot(), source), "utf8"), (href) => href);
    expect(hash).not.toBe("");
    expect(guide.html).toContain(` id="${hash.slice(1)}"`);
  });

  test("loads nothing from anywhere: the one image is inside the mail", () => {
    const sources = [...html.matchAll(/\b(?:src|srcset|background|data|poster|action)\s*=\s*"([^"]*)"/gi)];
    expect(sources.map(([, source]) => source)).toEqual(["cid:mark@selo"]);
    expect(html).not.toMatch(/url\(|@import|@font-face|<(?:link|script|iframe|object|form|base)\b|http-equiv/i);
    expect(mail.images).toMatchObject([{ cid: "mark@selo", type: "image/png" }]);
    // The signature of PNG, and 56 pixels of width and of height in its first chunk.
    const png = mail.images[0]?.content as Buffer;
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([56, 56]);
  });

  test("says why one gets it, that replies are not read, who runs Selo, and where", () => {
    const participantsReason = /^(You get this mail because|Você recebe este e-mail porque) .*Acme Ltda.*$/m.exec(
      mail.text,
    );
    const reason = isToParticipant
      ? (participantsReason?.[0] ?? "a reason")
      : language === "en"
        ? "You get this mail because Acme Ltda gave Selo your address as its contact. Nobody reads replies to this mail."
        : "Você recebe este e-mail porque Acme Ltda informou o seu endereço como contato no Selo. Ninguém lê as respostas a este e-mail.";
    for (const part of [mail.text, html]) {
      for (const fact of [reason, "Selo Serviços Digitais Ltda, CNPJ 12.345.678/0001-90, São Paulo.", PUBLIC_URL])
        expect(part).toContain(fact);
    }
    expect(hrefsOf(html).slice(1)).toEqual([PUBLIC_URL, OPERATOR.contact, OPERATOR.privacy]);
    const alone = composeSample(sample, { language, operator: NO_OPERATOR });
    expect(hrefsOf(alone.html).slice(1)).toEqual([PUBLIC_URL]);
    for (const part of [alone.text, alone.html]) expect(part).not.toMatch(/Contact|Contato|Privac|null|CNPJ/);
  });

  test("the test environment is told in words, before everything else; the live environment is not mentioned so", () => {
    const [first] = mail.text.split("\n");
    const notice = { en: "Test environment.", "pt-BR": "Ambiente de teste." }[language];
    if (sample.environment === "test") {
      expect(first).toContain(notice);
      expect(mail.subject).toMatch(language === "en" ? /^\[test\] / : /^\[teste\] /);
    } else {
      expect(`${mail.subject}${mail.text}${html}`).not.toContain(notice);
      expect(mail.subject).not.toContain("[");
    }
  });

  test("the words are those of the interface", () => {
    const { text, subject } = composeSample(sample, { language, organization: "Prefeitura" });
    // Words of specialists; "de" before an organization; English that nobody says; phrases of forms.
    expect(`${subject}\n${text}`).not.toMatch(
      /\b([Dd]igest|[Ii]nstant|[Cc]anonical|d[ea] Prefeitura|nobody of yours|[Ff]ailing since|ACTIVE|DISABLED|SKIPPED)\b/,
    );
    // A time is told to the minute.
    expect(text).not.toMatch(/\d:\d\d:\d\d/);
  });
});

test("everything of others is escaped in HTML and stays on its line in text", () => {
  const hostile = 'x\r\n-- \r\n<img src=x onerror="alert(1)">\u202Egnp&amp;';
  const escaped = "x -- &lt;img src=x onerror=&quot;alert(1)&quot;&gt;gnp&amp;amp;";
  const samples: SampleMail[] = [
    { kind: "token_created", data: { name: hostile, prefix: hostile, scopes: [hostile] } },
    { kind: "token_revoked", data: { name: hostile, prefix: hostile } },
    {
      kind: "webhook_disabled",
      data: { url: hostile, reason: "failing", failures: 20, failing_since: null, error_code: hostile },
    },
  ];
  for (const sample of samples) {
    for (const language of LANGUAGES) {
      const operator = { ...OPERATOR, name: 'A "<b>" & B', contact: 'https://x.example/?a="><b>&' };
      const mail = composeSample(sample, { language, organization: hostile, operator });
      expect(mail.html).toContain(escaped);
      expect(mail.html).toContain("A &quot;&lt;b&gt;&quot; &amp; B");
      expect(mail.html.match(/<img/g)).toHaveLength(1);
      expect(mail.html).not.toMatch(/<b>|onerror="/);
      for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toContain("\u202E");
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(mail.text.match(/^-- $/gm)).toHaveLength(1);
      expect(mail.text).not.toContain("\r");
    }
  }
});

test.each([
  ["en", "UTC", "21 November 2026 at 22:23 UTC"],
  ["en", "Etc/UTC", "21 November 2026 at 22:23 UTC"],
  ["pt-BR", "UTC", "21 de novembro de 2026 às 22:23 UTC"],
  ["pt-BR", "America/Sao_Paulo", "21 de novembro de 2026 às 19:23 (horário de Brasília)"],
  ["pt-BR", "America/Bahia", "21 de novembro de 2026 às 19:23 (horário de Brasília)"],
  ["pt-BR", "America/Manaus", "21 de novembro de 2026 às 18:23 (horário do Amazonas)"],
  ["pt-BR", "Europe/Moscow", "22 de novembro de 2026 à 01:23 (horário de Moscou)"],
  ["pt-BR", "America/New_York", "21 de novembro de 2026 às 17:23 (horário do Leste)"],
  ["en", "America/Sao_Paulo", "21 November 2026 at 19:23 (Brasilia Standard Time)"],
  ["en", "America/New_York", "21 November 2026 at 17:23 (Eastern Time)"],
  ["en", "Asia/Kolkata", "22 November 2026 at 03:53 (India Standard Time)"],
  ["en", "Etc/GMT+3", "21 November 2026 at 19:23 (GMT-03:00)"],
] as const)("in %s and %s a time is %s", (language, timeZone, words) => {
  expect(mailTime(new Date("2026-11-21T22:23:45Z"), language, timeZone)).toBe(words);
});
