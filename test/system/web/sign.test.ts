// The signing page: the whole way, from the mail's link to the end, at a phone's width and a desktop's, in both languages.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { aField, ask, read as readEnvelope } from "../../services/signature/envelope-stage.ts";
import { aLink, otherThan } from "../../services/signature/signing-stage.ts";
import { byLane } from "../../support/lane.ts";
import { DESKTOP, PHONE, screenshot } from "./browser.ts";
import {
  anOut,
  button,
  closeBrowsers,
  codeOf,
  linkOf,
  newestMail,
  openBrowser,
  openSignStage,
  read,
  type Signer,
  type SignStage,
  sign,
  signIn,
  WORDS,
} from "./sign-stage.ts";

let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage();
});
afterAll(() => stage.close());
afterEach(closeBrowsers);

const WAYS = [
  ["pt-BR", "phone", PHONE],
  ["en", "desktop", DESKTOP],
] as const;

// The way in English is that of ../signature/screens/sign.test.ts as well.
describe.each(WAYS.slice(0, byLane({ lane: 1, full: 2 })))("in %s on a %s", (language, device, viewport) => {
  test("two people sign one after the other, and the envelope is completed", { timeout: 120_000 }, async () => {
    const out = await anOut(stage, [{ order_index: 1 }, { order_index: 2 }], {
      language,
      signing_order: "sequential",
      message: "Oi, Marina! Segue o contrato do apartamento 34.",
    });
    for (const signer of out.signers) {
      const { page } = await openBrowser(stage, { locale: language, viewport });
      await page.goto(await linkOf(stage, signer));
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "Imobiliária Vale do Itajaí" }).waitFor();
      await signIn(stage, page, signer, language);
      await button(page, WORDS[language].read).waitFor();
      await page.locator(".sheet canvas").first().waitFor();
      await read(page, language);
      await sign(page, language);
      await page.getByRole("heading", { name: WORDS[language].signed }).waitFor();
      // What the participant compares later with the copy: the code, and the fingerprint of what was read.
      const text = await page.locator("main").innerText();
      const { verification_code: code, documents } = await readEnvelope(stage, out.id);
      expect(text).toContain(code);
      expect(text).toContain(documents[0].sha256);
      // Nothing of it stays in the browser, and nothing of the secret in the address or the history.
      expect(await page.evaluate("[sessionStorage.length, localStorage.length, location.hash]")).toEqual([0, 0, ""]);
    }
    await expect.poll(async () => (await readEnvelope(stage, out.id)).status).toBe("completed");

    const [signer] = out.signers as [Signer];
    const { page } = await openBrowser(stage, { locale: language, viewport });
    const { id: earlier } = await newestMail(stage, signer, "signing_code");
    await page.goto(await linkOf(stage, signer));
    await button(page, WORDS[language].getCode).click();
    await page.getByLabel(WORDS[language].codeLabel).fill(await codeOf(stage, signer, earlier));
    await button(page, WORDS[language].goOn).click();
    const report = button(
      page,
      language === "en" ? "Download the evidence report" : "Baixar o relatório de evidências",
    );
    await report.waitFor();
    const { documents } = await readEnvelope(stage, out.id);
    expect(await page.locator("main").innerText()).toContain(documents[0].final_sha256);
    await screenshot(page, `sign-${device}-copies`);
    const verify = page.getByRole("link", {
      name: language === "en" ? "Verify this document" : "Verificar este documento",
    });
    const { verification_code: code } = await readEnvelope(stage, out.id);
    expect(await verify.getAttribute("href")).toBe(`/verify/${code}`);
    const [file] = await Promise.all([page.waitForEvent("download"), report.click()]);
    expect(file.suggestedFilename()).toBe(language === "en" ? "evidence-report.pdf" : "relatorio-de-evidencias.pdf");
    expect(fs.readFileSync(await file.path(), "latin1")).toMatch(/^%PDF-1\.7/);
  });
});

const words = WORDS["pt-BR"];
const h1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
/** Where the focus is: on the heading of the step, so that it is read out. */
const focused = (page: Page) => page.evaluate("document.activeElement.tagName");
const kept = (page: Page) => page.evaluate<string>("JSON.stringify({ ...sessionStorage })");

/** A participant in the step of reading. */
async function inReading(options: { readonly fields?: boolean } = {}) {
  const out = await anOut(
    stage,
    [{}],
    options.fields ? { field_placement: "fields" } : {},
    async (id, [signer], document) => {
      if (!options.fields) return;
      const place = { participant_id: signer, document_id: document };
      await aField(stage, id, { ...place, type: "texto" });
      await aField(stage, id, { ...place, type: "cpf", y: 0.3 });
      await aField(stage, id, { ...place, type: "assinatura", y: 0.6 });
    },
  );
  const signer = out.signers[0] as Signer;
  const link = await linkOf(stage, signer);
  const browser = await openBrowser(stage);
  await browser.page.goto(link);
  await signIn(stage, browser.page, signer);
  await h1(browser.page, "Leia o documento");
  return { out, signer, link, ...browser };
}

const endSessions = ({ id }: { readonly id: string }) =>
  stage.selo.database.admin.query("update signature.signing_sessions set expires_at = now() where envelope_id = $1", [
    id,
  ]);

describe("leaving and coming back", () => {
  test("to the mail program: the code, and later what was typed, is still asked for in the same place", async () => {
    const out = await anOut(stage);
    const signer = out.signers[0] as Signer;
    const { page } = await openBrowser(stage);
    await page.goto(await linkOf(stage, signer));
    await button(page, words.getCode).click();
    await h1(page, "Digite o código");
    await page.goto("about:blank");
    await page.goBack();
    await h1(page, "Digite o código");
    await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer));
    await button(page, words.goOn).click();
    await h1(page, "Leia o documento");
    await page.reload();
    await h1(page, "Leia o documento");
    expect(await page.evaluate("location.hash")).toBe("");
    // The mail's link again, in the same tab.
    await page.goto(await linkOf(stage, signer));
    await h1(page, "Leia o documento");
  });

  test("a newer link of the same participant asks for a new code, and keeps what was typed", async () => {
    const { page, out, signer } = await inReading({ fields: true });
    await read(page);
    await button(page, words.toNext).click();
    await page.getByRole("textbox").fill("47 99912-3456");
    const { status } = await ask(stage, "POST", `/envelopes/${out.id}/remind`, {
      participant_id: signer.id,
      new_link: true,
    });
    expect(status).toBe(202);
    await page.goto(await linkOf(stage, signer, "envelope_reminder"));
    await h1(page, /pede a sua assinatura/);
    expect(await kept(page)).toContain("47 99912-3456");
  });

  test("a tab whose link was replaced says so, to another tab that asks, too", async () => {
    const { page, out, signer } = await inReading();
    const second = await page.context().newPage();
    await second.goto(`/sign/${signer.id}`);
    await h1(second, "O documento está aberto em outra aba");
    await ask(stage, "POST", `/envelopes/${out.id}/remind`, { participant_id: signer.id, new_link: true });
    // The first tab does not know yet.
    await second.reload();
    await h1(second, "Há um link mais novo");
    await h1(page, "Há um link mais novo");
    await page.getByText("Abra o link do e-mail mais recente sobre este documento.").waitFor();
    expect(await page.getByText("outra aba").count()).toBe(0);
    await page.reload();
    await h1(page, "Há um link mais novo");
    // The newer link, in its own tab, takes precedence over the tab with the old link.
    const third = await page.context().newPage();
    await third.goto(await linkOf(stage, signer, "envelope_reminder"));
    await h1(third, /pede a sua assinatura/);
    await second.reload();
    await h1(second, "O documento está aberto em outra aba");
  });
});

test("fields: each is filled in, what is missing is said at the field, and the values are recorded", async () => {
  const { page, out } = await inReading({ fields: true });
  await read(page);
  await h1(page, "Preencha os campos");
  expect(await focused(page)).toBe("H1");
  await button(page, words.toNext).click();
  await button(page, words.nextField).click();
  await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-24");
  await page.keyboard.press("Enter");
  await page.getByText("Este CPF está errado", { exact: false }).waitFor();
  await button(page, "Anterior").click();
  await page.getByRole("textbox").first().fill("Rua das Flores, 12, apartamento 3. ".repeat(25));
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-25");
  await page.keyboard.press("Enter");
  await h1(page, "Assine o documento");
  await sign(page);
  // Only the service knows how wide letters are.
  await h1(page, "Preencha os campos");
  await page.getByText(/^Este texto não cabe no espaço do documento\. Use no máximo \d{3} caracteres/).waitFor();
  await screenshot(page, "sign-texto-longo");
  await page.getByRole("textbox").first().fill("47 99912-3456");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await h1(page, "Assine o documento");
  await sign(page);
  await h1(page, words.signed);
  const { fields } = await readEnvelope(stage, out.id);
  expect((fields as { type: string; value: unknown }[]).map(({ type, value }) => [type, value])).toEqual(
    expect.arrayContaining([
      ["texto", "47 99912-3456"],
      ["cpf", "***.982.247-**"],
      ["assinatura", "Marina Costa de Oliveira"],
    ]),
  );
});

test("consent and pad are in one view at 390 px, the text opens in place, and one signer waits for no others", async () => {
  const out = await anOut(stage, [{}], { jurisdiction: "br" });
  const signer = out.signers[0] as Signer;
  const { page } = await openBrowser(stage, { viewport: { width: 390, height: 844 } });
  await page.goto(await linkOf(stage, signer));
  await signIn(stage, page, signer);
  await read(page);
  await h1(page, "Assine o documento");
  const bottom = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return box === null ? Number.NaN : box.y + box.height;
  };
  const bar = await page.locator(".act").boundingBox();
  expect(await page.evaluate("scrollY")).toBe(0);
  expect(await bottom(".signature-area")).toBeLessThan(bar?.y ?? 0);
  const folded = await bottom("#agreement");
  await page.getByText("Texto br-2026-12").waitFor();
  await button(page, "Ler tudo").click();
  await button(page, "Mostrar menos").waitFor();
  expect(await bottom("#agreement")).toBeGreaterThan(folded + 100);
  // As if this tab repeated an act that was recorded before the text changed.
  await page.route("**/complete", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    expect(body.consent_version).toBe("br-2026-12");
    await route.fulfill({ response, json: { ...body, consent_version: "br-2025-01" } });
  });
  await sign(page);
  await h1(page, words.signed);
  await page.getByText("Em alguns minutos enviamos o documento assinado").waitFor();
  await page.getByText("br-2025-01", { exact: true }).waitFor();
  expect(await page.getByText("todos").count()).toBe(0);
});

test("the way back leads step by step to the request, loses nothing and does nothing twice", async () => {
  const { page, out } = await inReading({ fields: true });
  await read(page);
  await button(page, words.toNext).click();
  await page.getByRole("textbox").fill("47 99912-3456");
  await page.goBack();
  await h1(page, "Leia o documento");
  await page.goBack();
  await h1(page, /pede a sua assinatura/);
  // No second code is asked for: the session goes on.
  await button(page, words.goOn).click();
  await h1(page, "Leia o documento");
  await button(page, words.read).click();
  await h1(page, "Preencha os campos");
  expect(await page.getByRole("textbox").inputValue()).toBe("47 99912-3456");
  await button(page, words.nextField).click();
  await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-25");
  await page.keyboard.press("Enter");
  await h1(page, "Assine o documento");
  await sign(page);
  await h1(page, words.signed);
  await page.goBack();
  await h1(page, words.signed);
  await page.reload();
  await h1(page, words.signed);
  const { rows } = await stage.selo.database.admin.query(
    "select action, count(*)::int from platform.audit_events where subject_id = $1 and action in ('envelope.code_sent', 'envelope.viewed', 'envelope.participant_signed') group by action order by action",
    [out.id],
  );
  expect(rows).toEqual([
    { action: "envelope.code_sent", count: 1 },
    { action: "envelope.participant_signed", count: 1 },
    { action: "envelope.viewed", count: 1 },
  ]);
});

test("two tabs: the second goes on by itself, and when both sign, both say the same", async () => {
  const { page, context, link, signer } = await inReading();
  const second = await context.newPage();
  await second.goto(link);
  await h1(second, /pede a sua assinatura/);
  const { id } = await newestMail(stage, signer, "signing_code");
  await button(second, words.getCode).click();
  await second.getByLabel(words.codeLabel).fill(await codeOf(stage, signer, id));
  await button(second, words.goOn).click();
  for (const tab of [page, second]) {
    await read(tab);
    await tab.getByLabel(words.agree).check();
    await tab.locator(".segments label", { hasText: words.type }).click();
  }
  for (const tab of [page, second]) {
    await button(tab, words.sign).click();
    await h1(tab, words.signed);
  }
  const third = await context.newPage();
  await third.goto(link);
  await h1(third, /Você já terminou|O documento está assinado/);
});

test("a session that is over while reading: the code again, and back where one was, with all that was typed", async () => {
  const { page, out, signer } = await inReading({ fields: true });
  await read(page);
  await button(page, words.toNext).click();
  await page.getByRole("textbox").fill("47 99912-3456");
  await button(page, words.nextField).click();
  await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-25");
  await page.keyboard.press("Enter");
  await h1(page, "Assine o documento");
  await endSessions(out);
  const { id } = await newestMail(stage, signer, "signing_code");
  await sign(page);
  await h1(page, "Digite o código");
  await page.getByText("Passou uma hora").waitFor();
  await button(page, words.getCode).click();
  await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer, id));
  await button(page, words.goOn).click();
  await h1(page, "Assine o documento");
  await sign(page);
  await h1(page, words.signed);
  const { fields } = await readEnvelope(stage, out.id);
  expect(JSON.stringify(fields)).toContain("47 99912-3456");
});

test("an answer to the last act that is lost: after a reload nothing that was typed stays in the browser", async () => {
  const { page } = await inReading({ fields: true });
  await read(page);
  await button(page, words.toNext).click();
  await page.getByRole("textbox").fill("47 99912-3456");
  await button(page, words.nextField).click();
  await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-25");
  await page.keyboard.press("Enter");
  await page.route("**/complete", async (route) => {
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  await sign(page);
  // Not "rede" or "internet", which the text of the consent has, too.
  await page.getByText("Sem conexão. Nada se perdeu").waitFor();
  expect(await kept(page)).toContain("47 99912-3456");
  await page.reload();
  // Whether the envelope is already completed decides what is shown.
  await expect.poll(() => kept(page)).not.toMatch(/47 99912-3456|529\.?982|Marina/);
});

test("a file that is gone is no unknown link: the page says that it does not work now", async () => {
  const out = await anOut(stage);
  const signer = out.signers[0] as Signer;
  const { page } = await openBrowser(stage);
  await page.route("**/documents/*", (route) =>
    route.fulfill({
      status: 404,
      json: { detail: { code: "not_found", message: "The envelope has no such document." } },
    }),
  );
  await page.goto(await linkOf(stage, signer));
  await signIn(stage, page, signer);
  await page.locator(".notice, [role=alert]").filter({ hasText: /tente/i }).first().waitFor();
  await h1(page, "Leia o documento");
});

describe("the code", () => {
  test("that is wrong is said at its field, with the tries that are left; one that is no code is not sent", async () => {
    const out = await anOut(stage);
    const signer = out.signers[0] as Signer;
    const { page } = await openBrowser(stage);
    await page.goto(await linkOf(stage, signer));
    await button(page, words.getCode).click();
    const field = page.getByLabel(words.codeLabel);
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    await field.fill("12");
    await button(page, words.goOn).click();
    await page.getByText("O código tem 6 números").waitFor();
    const wrong = otherThan(await codeOf(stage, signer));
    for (const text of [
      "Restam 4 tentativas",
      "Restam 3 tentativas",
      "Restam 2 tentativas",
      "Resta uma tentativa",
      "não vale mais",
    ]) {
      await field.fill(wrong);
      await button(page, words.goOn).click();
      await page.locator("#code-error", { hasText: text }).waitFor();
      expect(await page.evaluate("document.activeElement.id")).toBe("code");
      expect(await field.getAttribute("aria-describedby")).toContain("code-error");
    }
  });

  test("can be sent again after half a minute, and six times in an hour it cannot", async () => {
    const out = await anOut(stage);
    const { page } = await openBrowser(stage);
    await page.clock.install();
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await button(page, words.getCode).click();
    for (let sent = 1; sent <= 5; sent += 1) {
      await page.getByRole("button", { name: /Enviar outro código \(em/ }).waitFor();
      await page.clock.fastForward(31_000);
      await button(page, "Enviar outro código").click();
    }
    await page.getByText(/Outro código, só a partir das \d\d:\d\d\./).waitFor();
  });
});

describe("declining", () => {
  test("from a step: the reason is asked for, it can be cancelled, and it ends in its own page", async () => {
    const { page, out } = await inReading();
    await button(page, words.decline).click();
    const dialog = page.getByRole("dialog");
    await button(page, "Recusar a assinatura").click();
    await dialog.getByText("Escreva o motivo").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("reason");
    await dialog.getByRole("textbox").fill("O valor não é o combinado.");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await h1(page, "Leia o documento");
    await button(page, words.decline).click();
    expect(await dialog.getByRole("textbox").inputValue()).toBe("O valor não é o combinado.");
    // Nobody else was asked.
    await dialog.getByText(/^O pedido termina\. Imobiliária/).waitFor();
    await button(page, "Recusar a assinatura").click();
    await h1(page, "Você recusou");
    await page.getByText(/^O pedido terminou, e Imobiliária .* recebe o seu motivo/).waitFor();
    expect(await page.getByText("todas as pessoas").count()).toBe(0);
    expect((await readEnvelope(stage, out.id)).status).toBe("declined");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.reload();
    await h1(page, "Você recusou");
  });

  test("before the code: the code comes first, and then the question again", async () => {
    const out = await anOut(stage, [{}, {}]);
    const signer = out.signers[0] as Signer;
    const { page } = await openBrowser(stage);
    await page.goto(await linkOf(stage, signer));
    await button(page, words.decline).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("O pedido termina para todas as pessoas.", { exact: false }).waitFor();
    await dialog.getByRole("textbox").fill("Não sou parte.");
    await dialog.getByRole("button", { name: words.getCode }).click();
    await page.getByText("Depois do código você pode recusar.").waitFor();
    await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer));
    await button(page, words.goOn).click();
    expect(await dialog.getByRole("textbox").inputValue()).toBe("Não sou parte.");
    await button(page, "Recusar a assinatura").click();
    await h1(page, "Você recusou");
    await page.getByText("O pedido terminou para todas as pessoas", { exact: false }).waitFor();
  });
});

describe("its own page", () => {
  const database = () => stage.selo.database.admin;
  const opened = async (link: string) => {
    const { page, ...browser } = await openBrowser(stage);
    await page.goto(link);
    return { page, ...browser };
  };

  test("a link that was cut off: it is mailed again", async () => {
    const out = await anOut(stage);
    const signer = out.signers[0] as Signer;
    const before = await newestMail(stage, signer, "envelope_invitation");
    const { page } = await opened(`/sign/${signer.id}`);
    await h1(page, "Este link não abre o pedido");
    await button(page, "Receber o link por e-mail").click();
    await page.getByText("Veja o seu e-mail").waitFor();
    const { link } = await newestMail(stage, signer, "envelope_invitation", before.id);
    const { pathname, hash } = new URL(link ?? "");
    await page.goto(pathname + hash);
    await h1(page, /pede a sua assinatura/);
  });

  test("a link without its end, while another tab has the request open", async () => {
    const out = await anOut(stage);
    const signer = out.signers[0] as Signer;
    const { page } = await opened(await linkOf(stage, signer));
    await button(page, words.getCode).click();
    await h1(page, "Digite o código");
    const second = await page.context().newPage();
    await second.goto(`/sign/${signer.id}`);
    await h1(second, "O documento está aberto em outra aba");
    await second.getByText(await page.title(), { exact: true }).waitFor();
    await page.close();
    await second.reload();
    await h1(second, "Este link não abre o pedido");
  });

  test("a sixth code within an hour: why not, from when on, and what helps", async () => {
    const out = await anOut(stage);
    const { page } = await openBrowser(stage);
    // As where the organization has a contact.
    await page.route(/\/api\/v1\/signing\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), contact: "contato@valedoitajai.example" } });
    });
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await database().query(
      `insert into signature.signing_codes (tenant_id, id, environment, envelope_id, participant_id, link_version, expires_at)
       select tenant_id, gen_random_uuid(), environment, envelope_id, id, link_version, now()
       from signature.participants, generate_series(1, 5) where envelope_id = $1`,
      [out.id],
    );
    await button(page, words.getCode).click();
    await page
      .getByText(
        /enviamos no máximo 5 códigos por hora.*só a partir das \d\d:\d\d\..*Peça um link novo a quem enviou o pedido/,
      )
      .waitFor();
    const contact = page.locator(".sign-notice a", { hasText: "contato@valedoitajai.example" });
    expect(await contact.getAttribute("href")).toBe("mailto:contato@valedoitajai.example");
    // It comes back by itself.
    const again = page.getByRole("button", { name: /^Enviar outro código \(em \d+ min\)$/ });
    expect(await again.getAttribute("aria-disabled")).toBe("true");
  });

  test("a link that is wrong", async () => {
    const out = await anOut(stage);
    const { page } = await opened(`/sign/${(out.signers[0] as Signer).id}#${"A".repeat(43)}`);
    await h1(page, "Este link não abre o pedido");
  });

  test("a link that is locked", async () => {
    const out = await anOut(stage);
    await database().query("update signature.participants set locked = true where envelope_id = $1", [out.id]);
    const { page } = await opened(await linkOf(stage, out.signers[0] as Signer));
    await button(page, words.getCode).click();
    await h1(page, "Este link está bloqueado");
  });

  test("out of turn, until it is", async () => {
    const out = await anOut(stage, [{ order_index: 1 }, { order_index: 2 }], { signing_order: "sequential" });
    const later = out.signers[1] as Signer;
    const settings = { selo: stage.selo, tenantId: stage.tenantId, token: stage.token, environment: stage.environment };
    await database().query("update signature.participants set link_version = 1 where id = $1", [later.id]);
    const { secret } = await aLink(settings, out.id, later.id);
    const { page } = await opened(`/sign/${later.id}#${secret}`);
    await h1(page, "Ainda não é a sua vez");
    await database().query("update signature.participants set status = 'completed' where id = $1", [
      out.signers[0]?.id,
    ]);
    await button(page, "Atualizar").click();
    await h1(page, /pede a sua assinatura/);
  });

  test("an envelope past its deadline, and one that was cancelled while its code was typed", async () => {
    const late = await anOut(stage);
    const lateLink = await linkOf(stage, late.signers[0] as Signer);
    await database().query("update signature.envelopes set expires_at = now() where id = $1", [late.id]);
    const first = await opened(lateLink);
    await h1(first.page, "O prazo terminou");

    const out = await anOut(stage);
    const { page } = await opened(await linkOf(stage, out.signers[0] as Signer));
    await button(page, words.getCode).click();
    await h1(page, "Digite o código");
    await ask(stage, "POST", `/envelopes/${out.id}/cancel`);
    await page.getByLabel(words.codeLabel).fill("123456");
    await button(page, words.goOn).click();
    await h1(page, "Quem enviou cancelou o pedido");
  });

  test("declined by another", async () => {
    const out = await anOut(stage, [{}, {}]);
    const links = await Promise.all(out.signers.map((signer) => linkOf(stage, signer)));
    await database().query("update signature.envelopes set status = 'declined' where id = $1", [out.id]);
    const { page } = await opened(links[1] ?? "");
    await h1(page, "Alguém recusou");
  });

  test("no network, and the page goes on when it is back", async () => {
    const out = await anOut(stage);
    const { page } = await openBrowser(stage);
    await page.route("**/api/**", (route) => route.abort("internetdisconnected"));
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await h1(page, "Sem conexão");
    await page.unroute("**/api/**");
    await page.evaluate("dispatchEvent(new Event('online'))");
    await h1(page, /pede a sua assinatura/);
    // In the middle of a step it is said there.
    await page.context().setOffline(true);
    await button(page, words.getCode).click();
    await page.getByText("Sem conexão. Nada se perdeu").waitFor();
    await page.context().setOffline(false);
    await button(page, words.getCode).click();
    await h1(page, "Digite o código");
  });

  test("too many requests, with the wait", async () => {
    const out = await anOut(stage);
    const { page } = await openBrowser(stage);
    await page.route("**/api/**", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "2" },
        contentType: "application/json",
        body: JSON.stringify({ detail: { code: "rate_limited", message: "Too many." }, request_id: "x" }),
      }),
    );
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await h1(page, "Um momento, por favor");
    expect(await page.getByRole("button", { name: /Tentar de novo \(em/ }).isDisabled()).toBe(true);
    await page.unroute("**/api/**");
    await button(page, "Tentar de novo").click();
    await h1(page, /pede a sua assinatura/);
  });

  test("a browser that is too old for what the page does", async () => {
    const out = await anOut(stage);
    const { page } = await openBrowser(stage);
    await page.addInitScript("delete AbortSignal.timeout");
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await h1(page, "Este navegador é antigo demais");
  });

  test("without scripts it says what is needed", async () => {
    const { page } = await openBrowser(stage, { javaScriptEnabled: false });
    await page.goto("/sign/0197e5a0-0000-7000-8000-000000000000");
    await page
      .getByRole("heading", { name: "Esta página precisa de um navegador mais novo, com JavaScript" })
      .waitFor();
  });
});

test("by keyboard alone, from the link to the end", async () => {
  const out = await anOut(stage);
  const signer = out.signers[0] as Signer;
  const { page } = await openBrowser(stage, { viewport: DESKTOP });
  await page.goto(await linkOf(stage, signer));
  await h1(page, /pede a sua assinatura/);
  const press = async (name: RegExp) => {
    for (let stop = 0; stop < 40; stop += 1) {
      const text = await page.evaluate<string>(
        "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.closest('label')?.textContent ?? document.activeElement.textContent)",
      );
      const tag = await focused(page);
      if (name.test(text) && tag !== "H1" && tag !== "BODY" && tag !== "MAIN") return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await press(/^Receber o código$/);
  await page.keyboard.press("Enter");
  await h1(page, "Digite o código");
  expect(await focused(page)).toBe("H1");
  await page.keyboard.press("Tab");
  await page.keyboard.type(await codeOf(stage, signer));
  await page.keyboard.press("Enter");
  await h1(page, "Leia o documento");
  await page.locator(".sheet canvas").first().waitFor();
  // The end of the document must have been seen.
  await page.keyboard.press("End");
  await expect.poll(() => button(page, words.read).getAttribute("aria-disabled")).not.toBe("true");
  await press(/^Já li$/);
  await page.keyboard.press("Enter");
  await h1(page, "Assine o documento");
  await press(/^Li este texto/);
  await page.keyboard.press("Space");
  await press(/^Desenhar$/);
  await page.keyboard.press("ArrowRight");
  await press(/^Assinar$/);
  await page.keyboard.press("Enter");
  await h1(page, words.signed);
});

test("a desktop offers the phone after the code, by a picture of the same link", async () => {
  const out = await anOut(stage);
  const signer = out.signers[0] as Signer;
  const link = await linkOf(stage, signer);
  const { page } = await openBrowser(stage, { viewport: DESKTOP });
  await page.goto(link);
  await h1(page, /pede a sua assinatura/);
  expect(await button(page, "Assinar no celular").count()).toBe(0);
  await signIn(stage, page, signer);
  await h1(page, "Leia o documento");
  await button(page, "Assinar no celular").click();
  await page.getByRole("img", { name: "QR Code com o seu link" }).waitFor();
  const drawn = await page.locator(".qr .ink").getAttribute("d");
  expect(drawn?.length).toBeGreaterThan(1_000);
  // The picture is the link, and its text stands nowhere on the page.
  expect(await page.content()).not.toContain(link.split("#")[1]);
});

test("the language is that of the envelope, and the other one by a touch, kept over a reload", async () => {
  const out = await anOut(stage, [{}], { language: "en" });
  const { page } = await openBrowser(stage);
  await page.goto(await linkOf(stage, out.signers[0] as Signer));
  await h1(page, /asks for your signature/);
  expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  await button(page, "Português").click();
  await h1(page, /pede a sua assinatura/);
  await page.reload();
  await h1(page, /pede a sua assinatura/);
  expect([await page.title(), await page.evaluate("document.documentElement.lang")]).toEqual([
    "TESTE · Pedido · Selo",
    "pt-BR",
  ]);
});

test("scripts before the document: at most 180 kB (gzip), and those that draw it come with the code", async () => {
  const out = await anOut(stage);
  const { page, requests } = await openBrowser(stage);
  await page.goto(await linkOf(stage, out.signers[0] as Signer));
  await h1(page, /pede a sua assinatura/);
  const scripts = () =>
    [...new Set(requests.map((request) => new URL(request.url()).pathname))].filter((name) => name.endsWith(".js"));
  const bytes = scripts().map(
    (name) => gzipSync(fs.readFileSync(path.join(webAppFolder(), name)), { level: 9 }).length,
  );
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(180_000);
  expect(scripts().some((name) => name.includes("pdf"))).toBe(false);
  await button(page, words.getCode).click();
  await expect.poll(() => scripts().some((name) => name.includes("pdf"))).toBe(true);
});

test("an address says nothing of the envelope, and nobody keeps the page", async () => {
  const response = await fetch(`${stage.selo.baseUrl}/sign/0197e5a0-0000-7000-8000-000000000000`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.get("etag")).toBeNull();
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(await response.text()).toContain('<meta name="robots" content="noindex"/>');
});
