// What every mail has in common: one layout, two languages, one button, nothing from elsewhere.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../src/adapters/programs/package-root.ts";
import { mailClock, mailTime } from "../../../src/services/platform/mails/mail-time.ts";
import { guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { renderMarkdown } from "../../../src/surfaces/web/markdown.ts";
import {
  CONTACT,
  composeSample,
  LANGUAGES,
  NO_OPERATOR,
  OPERATOR,
  PUBLIC_URL,
  productMails,
  sampleMails,
} from "../../support/sample-mails.ts";
import type { SampleMail } from "../../support/service-facts.ts";

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
    .replace(/<\/?(?:b|span)(?: [^>]*)?>/g, "")
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
  const hasButton = sample.button !== null;

  test("text and HTML say the same", () => {
    // The brand stands beside the mark; what lists of mails show stands in no text part.
    const [preheader = "", ...said] = textsOf(html).filter((text) => text !== "Selo");
    expect(preheader).not.toBe("");
    expect(mail.text).not.toContain(preheader);
    for (const words of said) expect(mail.text).toContain(words);
    for (const href of hrefsOf(html)) expect(mail.text).toContain(href.replace(/^mailto:/, ""));
    const shown = [...said, ...hrefsOf(html).map((href) => href.replace(/^mailto:/, ""))];
    for (const part of partsOf(mail.text)) {
      const line = part.replace(/^> /, "");
      const [label = "", address = ""] = line.split(/: (?=\S+$)/);
      expect(
        shown.includes(line) ||
          shown.includes(line.replace(/:$/, "")) ||
          (shown.includes(label) && shown.includes(address)),
        line,
      ).toBe(true);
    }
  });

  test("one button, whose address stands alone on a line of the text part; or none, where its reader goes on elsewhere", () => {
    const buttons = [...html.matchAll(/<a class="button" href="([^"]*)"/g)].map(([, href = ""]) => decoded(href));
    expect(buttons).toHaveLength(hasButton ? 1 : 0);
    if (hasButton) expect(mail.text.split("\n")).toContain(buttons[0]);
  });

  test("the button leads to a place that exists: a guide and its heading, or a page of its own", () => {
    if (!hasButton) return expect(mail.text).not.toContain("/sign/");
    const [address = ""] = hrefsOf(html);
    const { origin, pathname, hash } = new URL(address);
    expect(origin).toBe(PUBLIC_URL);
    if (sample.button) return expect(`${pathname}${hash}`).toBe(sample.button);
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
    // The first bytes of every PNG, and 56 pixels of width and of height in its first chunk.
    const png = mail.images[0]?.content as Buffer;
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([56, 56]);
  });

  test("says why one gets it, what becomes of replies, who runs Selo, and where", () => {
    const participantsReason = /(You get this mail because|Você recebe este e-mail porque) .*Acme Ltda.*$/m.exec(
      mail.text,
    );
    const toContact = {
      en: "You get this mail because Acme Ltda gave Selo your address as its contact.",
      "pt-BR": "Você recebe este e-mail porque Acme Ltda informou o seu endereço como contato no Selo.",
    };
    const silence = {
      en: "Nobody reads replies to this mail.",
      "pt-BR": "Ninguém lê as respostas a este e-mail.",
    };
    const reason = isToParticipant
      ? (participantsReason?.[0] ?? "a reason")
      : `${(sample.reason ?? toContact)[language]} ${silence[language]}`;
    for (const part of [mail.text, html.replace(/<\/?span[^>]*>/g, "")]) {
      for (const fact of [reason, "Selo Serviços Digitais Ltda, CNPJ 12.345.678/0001-90, São Paulo.", PUBLIC_URL])
        expect(part).toContain(fact);
    }
    const footer = (of: string) => {
      const hrefs = hrefsOf(of);
      return hrefs.slice(hrefs.indexOf(PUBLIC_URL));
    };
    expect(footer(html)).toEqual([PUBLIC_URL, OPERATOR.contact, OPERATOR.privacy]);
    const alone = composeSample(sample, { language, operator: NO_OPERATOR });
    expect(footer(alone.html)).toEqual([PUBLIC_URL]);
    expect(hrefsOf(alone.html)).toHaveLength(hasButton ? 2 : 1);
    for (const part of [alone.text, alone.html])
      expect(part).not.toMatch(/Contact|Contato|Avise-nos|Tell us|Privac|null|CNPJ/);
  });

  test("the test environment is told in words, before everything else; the live environment is not mentioned so", () => {
    const [first] = mail.text.split("\n");
    const notice = { en: "This is a test:", "pt-BR": "É um teste:" }[language];
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

describe("a mail to a participant", () => {
  const toParticipants = forms.filter(({ sample }) => "participant_id" in sample.data);
  const silent = { en: "Nobody reads replies|nobody reads replies", "pt-BR": "inguém lê as respostas" } as const;
  const asksToReply = { en: "Reply to this mail", "pt-BR": "Responda a este e-mail" } as const;

  test.each(toParticipants)(
    "$name in $language: comes from the organization, and a reply goes to its contact",
    ({ sample, language }) => {
      const mail = composeSample(sample, { language, organization: "Imobiliária Horizonte" });
      expect(mail).toMatchObject({ senderName: "Imobiliária Horizonte, via Selo", replyTo: CONTACT });
      for (const part of [mail.text, mail.html.replace(/<\/?span[^>]*>/g, "")]) {
        expect(part).toContain(
          `${asksToReply[language]}: ${language === "en" ? "the reply goes to" : "a resposta vai para"} ${CONTACT}.`,
        );
        expect(part).not.toMatch(new RegExp(silent[language]));
      }
    },
  );

  test.each(toParticipants)(
    "$name in $language: names no reply where the organization has no contact",
    ({ sample, language }) => {
      const mail = composeSample(sample, { language, contact: null });
      expect(mail).toMatchObject({ senderName: "Acme Ltda, via Selo", replyTo: null });
      for (const part of [mail.text, mail.html.replace(/<\/?span[^>]*>/g, "")]) {
        expect(part).not.toContain(asksToReply[language]);
        expect(part).toMatch(new RegExp(silent[language]));
      }
    },
  );

  test.each(toParticipants)(
    "$name in $language: the words are document and request, never envelope or environment",
    ({ sample, language }) => {
      const live = { ...sample, environment: "live" } as const;
      const { subject, text } = composeSample(live, { language });
      expect(`${subject}\n${text}`).not.toMatch(/envelope|ambiente|environment/i);
    },
  );
});

test("a mail to the contact comes from us, and tells that nobody reads replies", () => {
  const toContact = Object.values(sampleMails).filter(({ data }) => !("participant_id" in data));
  expect(toContact.map(({ kind }) => kind)).toContain("envelope_completion");
  for (const sample of toContact)
    expect(composeSample(sample, { language: "en" })).toMatchObject({ senderName: null, replyTo: null });
});

test("a mail of a row from before the contact was kept has no Reply-To, and one whose address could end a header has none either", () => {
  const sample = sampleMails["invitation"] as SampleMail;
  for (const contact of ["a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example"])
    expect(composeSample(sample, { language: "en", contact }).replyTo).toBeNull();
});

describe("an invitation", () => {
  const compose = (changes: object, language: (typeof LANGUAGES)[number]) => {
    const sample = sampleMails["invitation"] as SampleMail;
    return composeSample(
      { ...sample, data: { ...sample.data, ...changes } },
      { language, organization: "Imobiliária Horizonte" },
    );
  };

  test("greets by name, says who asks for what until when, how to decline, and what to do about an unknown sender", () => {
    const { subject, text, html } = compose({}, "pt-BR");
    expect(subject).toBe("Imobiliária Horizonte pede a sua assinatura: Contrato de locação");
    for (const words of [
      "Olá, Ana Souza. Há um documento esperando por você: leia e, se concordar, assine.",
      "Bom dia, Ana. Segue o contrato que combinamos.",
      "Mensagem escrita por Imobiliária Horizonte",
      "Contrato de locação, 5 páginas",
      "21 de dezembro de 2026 às 19:23 (horário de Brasília)",
      "Abrir não é assinar.",
      "toque em Recusar, no alto da página, e escreva o motivo",
      "Não conhece quem enviou?",
    ])
      for (const part of [text, html.replace(/<\/?(?:b|span)(?: [^>]*)?>/g, "")]) expect(part).toContain(words);
    expect(html).toContain(`href="${OPERATOR.contact}" style`);
  });

  test.each([null, "", " \n"])("draws no box for the message %j", (message) => {
    for (const language of LANGUAGES) {
      const { text, html } = compose({ message }, language);
      expect(html).not.toContain('class="quote"');
      expect(text).not.toMatch(/Message written by|Mensagem escrita por|^>/m);
    }
  });

  test("of several documents says how many", () => {
    expect(compose({ documents: 3, pages: 1 }, "pt-BR").text).toContain(
      "Documentos: Contrato de locação, 3 arquivos, 1 página",
    );
    expect(compose({ documents: 3, pages: 12 }, "en").text).toContain(
      "Documents: Contrato de locação, 3 files, 12 pages",
    );
  });

  test("of a row that an earlier version wrote is sent as well", () => {
    const { text } = compose({ name: undefined, documents: undefined, pages: undefined }, "en");
    expect(text).toContain("\nA document is waiting for you");
  });
});

test("a reminder says nothing of links that it would replace", () => {
  for (const language of LANGUAGES)
    expect(composeSample(sampleMails["reminder"] as SampleMail, { language }).text).not.toMatch(
      /replaces|substitui|anterior/,
    );
});

test("the mail of a code leads back to the page that is open, and says that nobody from Selo asks for it", () => {
  const sample = sampleMails["signing-code"] as SampleMail;
  const [english, portuguese] = LANGUAGES.map((language) => composeSample(sample, { language }).text);
  expect(english).toContain(
    "\n\n049213\n\nGo back to the page that is open, and type the code there. It is good until 19:33 (Brasilia Standard Time), and only once.",
  );
  expect(english).toContain("Nobody from Selo asks for this code by e-mail or telephone.");
  expect(portuguese).toContain(
    "\n\n049213\n\nVolte à página que está aberta e digite o código lá. Ele vale até 19:33 (horário de Brasília) e só uma vez.",
  );
  expect(portuguese).toContain("Ninguém do Selo pede este código por e-mail ou telefone.");
});

test("the mail about the copies says until when the link shows them, and that of an earlier version's row for how long", () => {
  const sample = sampleMails["envelope-completed"] as SampleMail;
  const older = { ...sample, data: { ...sample.data, copies_until: undefined } };
  for (const [language, until, days] of [
    ["en", "until 19 February 2027 at 19:23 (Brasilia Standard Time)", "for 90 days"],
    ["pt-BR", "até 19 de fevereiro de 2027 às 19:23 (horário de Brasília)", "por 90 dias"],
  ] as const) {
    const { text, html } = composeSample(sample, { language });
    expect(text).toContain(until);
    expect(html).toContain(`<b>${until}</b>`);
    expect(text).not.toContain(days);
    expect(composeSample(older, { language }).text).toContain(days);
  }
});

test("no line of a mail ends within an e-mail or a verification code", () => {
  const { html } = composeSample(sampleMails["envelope-completed"] as SampleMail, { language: "pt-BR" });
  const [, shown = ""] = html.split("</head>");
  const whole = [...shown.matchAll(/<span style="white-space:nowrap">([^<]*)<\/span>/g)].map(([, word]) => word);
  expect(new Set(whole)).toEqual(new Set(["e-mail", "K7QF-2MXR-9TDA"]));
  expect(shown.match(/e-mail(?!<\/span>)/g)).toBeNull();
});

test("where one participant signed alone, no mail speaks of all", () => {
  for (const name of ["envelope-completed-alone", "envelope-completion-alone"])
    for (const language of LANGUAGES) {
      const { subject, text } = composeSample(sampleMails[name] as SampleMail, { language });
      expect(`${subject}\n${text}`).not.toMatch(/everybody|by all|todos já|por todos/i);
    }
  for (const name of ["envelope-completed", "envelope-completion"])
    expect(composeSample(sampleMails[name] as SampleMail, { language: "pt-BR" }).text).toMatch(/todos/);
});

test("the mail of a completion tells the contact who acted when, where anyone verifies, and the paths of the files", () => {
  const { subject, text } = composeSample(sampleMails["envelope-completion"] as SampleMail, { language: "pt-BR" });
  expect(subject).toBe("Assinado por todos: Contrato de locação");
  const of = "/api/v1/envelopes/0197a0c0-0000-7000-8000-000000000003";
  for (const line of [
    "  Ana Souza: assinou em 21 de novembro de 2026 às 14:47 (horário de Brasília)",
    "  Júlia Nakamura: assinou como testemunha em 21 de novembro de 2026 às 15:10 (horário de Brasília)",
    "  Bruno Lima: aprovou em 21 de novembro de 2026 às 16:02 (horário de Brasília)",
    `  contrato.pdf: GET ${of}/documents/0197a0c0-0000-7000-8000-000000000004/download`,
    `  Relatório de evidências: GET ${of}/evidence, com Accept: application/pdf`,
    `${PUBLIC_URL}/verify/K7QF-2MXR-9TDA`,
  ])
    expect(text.split("\n")).toContain(line);
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

test("the clock alone has its zone as well", () => {
  const time = new Date("2026-11-21T04:05:45Z");
  expect(mailClock(time, "pt-BR", "America/Sao_Paulo")).toBe("01:05 (horário de Brasília)");
  expect(mailClock(time, "en", "UTC")).toBe("04:05 UTC");
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

test("in Portuguese the first of a month is an ordinal", () => {
  const time = new Date("2026-12-01T04:05:00Z");
  expect(mailTime(time, "pt-BR", "America/Sao_Paulo")).toBe("1º de dezembro de 2026 à 01:05 (horário de Brasília)");
  expect(mailTime(time, "en", "UTC")).toBe("1 December 2026 at 04:05 UTC");
});
