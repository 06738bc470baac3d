// The signing page in each state: pictures beside the mockups, and what axe finds.
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { byOpenssl } from "../../../adapters/certificates/pkcs12-files.ts";
import { authorities } from "../../../services/signature/certificate-stage.ts";
import { PIXEL } from "../../../services/signature/completion-stage.ts";
import { aField } from "../../../services/signature/envelope-stage.ts";
import { WITH_JAVASCRIPT } from "../../../support/uploads.ts";
import { missingPictures, writeGroupPage } from "../../screens/index-page.ts";
import { looksAt } from "../../screens/looks.ts";
import { mockupsOf, photographMockups } from "../../screens/mockups.ts";
import { photograph } from "../../screens/shots.ts";
import { LANGUAGES, type Language, type Pictured, type States } from "../../screens/state.ts";
import {
  anOut,
  button,
  closeBrowsers,
  codeOf,
  linkOf,
  openBrowser,
  openSignStage,
  read,
  type Signer,
  type SignStage,
  sign,
  signIn,
  WORDS,
} from "../../web/sign-stage.ts";

const CONTRACT = path.resolve(import.meta.dirname, "../../../../src/web/files/sample/contract.pdf");

/** The mockup beside each picture, where one is drawn. */
const MOCKUPS: Readonly<Record<string, string | null>> = {
  request: "sign-10-teste",
  code: "sign-2-codigo",
  "request-sms": null,
  sms: "sign-14b-sms",
  read: "sign-3-leitura",
  phone: null,
  text: "sign-4a-campo-texto",
  box: "sign-4b-campo-caixa",
  act: "sign-5-assinatura",
  "act-missing": "sign-5b-digitar",
  decline: "sign-7-recusar",
  session: null,
  done: "sign-6-pronto",
  "declined-by-you": null,
  "not-yet": "sign-8-nao-e-a-vez",
  link: "sign-9b-link",
  "other-tab": "sign-11-outra-aba",
  replaced: null,
  "codes-sent": "sign-12b-codigos-esgotados",
  "link-sent": null,
  locked: null,
  expired: null,
  cancelled: null,
  declined: null,
  failed: null,
  finished: null,
  copies: null,
  certificate: "sign-18a-certificado",
  "certificate-password": "sign-18a-certificado-senha-errada",
  "certificate-opening": "sign-18b-certificado-lendo",
  "certificate-refused": "sign-18c-certificado-recusado",
  "certificate-sign": "sign-18d-certificado-assinar",
  "certificate-signed": "sign-18e-certificado-assinado",
  "certificate-insecure": null,
  "hand-on": "sign-15a-passar",
  "hand-on-confirm": "sign-15b-passar-confirmar",
  "handed-on": "sign-15c-passado",
  cpf: "sign-14a-cpf",
  "cpf-wrong": null,
  questions: "sign-14c-perguntas",
  "questions-last": "sign-14c-perguntas-de-novo",
  identity: null,
  "identity-refused": "sign-14d-identidade-recusada",
  attachment: "sign-16a-anexo",
  "attachment-sending": "sign-16b-anexo-enviando",
  "attachment-refused": "sign-16c-anexo-recusado",
  "attachment-type": "sign-16e-anexo-recusas",
  "attachment-done": "sign-16d-anexo-pronto",
  calculated: "sign-17a-calculado",
  "calculated-fault": "sign-17b-calculado-erro",
  "no-network": null,
  busy: null,
  unavailable: null,
  browser: null,
};
const SIGN_STATES: States<Pictured> = Object.fromEntries(
  Object.entries(MOCKUPS).map(([name, mockup]) => [
    `sign-${name}`,
    mockup === null ? {} : { mockup: { "pt-BR": mockup } },
  ]),
);

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).waitFor();

/** The link of an envelope, whose state is told as another one. */
const told = (change: object) => async (page: Page, link: string) => {
  await page.route(/\/api\/v1\/signing\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
  await page.goto(link);
};
const answered = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  contentType: "application/json",
  body: JSON.stringify({ detail: { code, message: "" } }),
});
const refused = (answer: ReturnType<typeof answered>) => async (page: Page, link: string) => {
  await page.route(/\/api\/v1\/signing\/[^/]+$/, (route) => route.fulfill(answer));
  await page.goto(link);
};
const done = { name: "Marina Costa de Oliveira", role: "signatario", modality: "avancada" };
const withoutSecret = (link: string, language: Language) => link.replace(/#.*/, `?lang=${language}`);

/** The states that one request is enough for, whatever was done with it before. */
const FAULTS: Readonly<Record<string, (page: Page, link: string, language: Language) => Promise<unknown>>> = {
  "not-yet": told({ turn: "not_yet" }),
  expired: told({ turn: "over", status: "expired" }),
  cancelled: told({ turn: "over", status: "cancelled" }),
  declined: told({ turn: "over", status: "declined" }),
  failed: told({ turn: "over", status: "failed" }),
  finished: told({ turn: "done", participant: { ...done, status: "completed" } }),
  "declined-by-you": told({ turn: "done", status: "declined", participant: { ...done, status: "declined" } }),
  copies: told({ turn: "done", status: "completed", participant: { ...done, status: "completed" } }),
  link: async (page, link, language) => page.goto(withoutSecret(link, language)),
  "other-tab": async (page, link, language) => {
    const first = await page.context().newPage();
    await first.goto(link);
    await button(first, WORDS[language].getCode).waitFor();
    await page.goto(withoutSecret(link, language));
  },
  replaced: async (page, link, language) => {
    await page.goto(link);
    await button(page, WORDS[language].getCode).waitFor();
    await page.route(/\/api\/v1\/signing\/[^/]+$/, (route) => route.fulfill(answered(404, "not_found")));
    await page.reload();
  },
  "codes-sent": async (page, link, language) => {
    await page.route("**/code", (route) => route.fulfill(answered(429, "rate_limited", { "retry-after": "2520" })));
    await page.goto(link);
    await button(page, WORDS[language].getCode).click();
    await page.locator(".sign-notice").waitFor();
  },
  locked: async (page, link, language) => {
    await page.route("**/code", (route) => route.fulfill(answered(403, "link_locked")));
    await page.goto(link);
    await button(page, WORDS[language].getCode).click();
    await page.locator(".state-mark").waitFor();
  },
  "no-network": async (page, link) => {
    await page.route("**/api/**", (route) => route.abort("internetdisconnected"));
    await page.goto(link);
  },
  busy: refused(answered(429, "rate_limited", { "retry-after": "3600" })),
  unavailable: refused(answered(503, "unavailable", { "x-request-id": "0197e5a0-0000-7000-8000-000000000000" })),
  browser: async (page, link) => {
    await page.addInitScript("delete AbortSignal.timeout");
    await page.goto(link);
  },
  "link-sent": async (page, link, language) => {
    await page.goto(withoutSecret(link, language));
    await page.locator(".act .button.main").click();
    await page.locator(".act .sign-note").waitFor();
  },
};

/** A contract with fields of each kind, sent to one person. */
const aContract = (stage: SignStage, language: Language) =>
  anOut(
    stage,
    [{}],
    {
      language,
      field_placement: "fields",
      title: "Contrato de locação residencial, Rua das Palmeiras, 120",
      message: "Oi, Marina! Segue o contrato do apartamento 34, como combinamos.\nConfira o valor antes de assinar.",
    },
    async (id, [signer], document) => {
      const place = { participant_id: signer, document_id: document };
      await aField(stage, id, { ...place, type: "texto", x: 0.4, y: 0.3, width: 0.4, height: 0.04 });
      await aField(stage, id, { ...place, type: "checkbox", x: 0.4, y: 0.4, width: 0.04, height: 0.03 });
      await aField(stage, id, { ...place, type: "data", x: 0.4, y: 0.5, width: 0.3, height: 0.04 });
      await aField(stage, id, { ...place, type: "assinatura", x: 0.4, y: 0.7, width: 0.4, height: 0.08 });
    },
    fs.readFileSync(CONTRACT),
  );

const trusted = authorities();
const PASSWORD = "segredo";
const p12Of = (wishes: Parameters<typeof trusted.holder>[0]) => ({
  name: "marina-costa-2026.p12",
  mimeType: "application/x-pkcs12",
  buffer: byOpenssl(trusted.holder(wishes), PASSWORD, [], [trusted.intermediate.certificate]),
});

/** The code after the first. */
async function secondCode(stage: SignStage, signer: Signer): Promise<string> {
  const { items } = await fetch(
    `${stage.selo.baseUrl}/api/v1/test-inbox?recipient=${encodeURIComponent(signer.email)}&kind=signing_code`,
    { headers: { authorization: `Bearer ${stage.token}` } },
  ).then((response) => response.json() as Promise<{ readonly items: readonly { readonly id: string }[] }>);
  return codeOf(stage, signer, items.at(-1)?.id);
}

const start = new Date();
const looks = looksAt(SIGN_STATES);
let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage({
    OPERATOR_NAME: "Selo Serviços Digitais Ltda",
    PRIVACY_URL: "https://selo.example/privacidade",
    TERMS_URL: "https://selo.example/termos",
    ICP_BRASIL_TEST_ROOTS: trusted.folder,
    DOCUMENT_CHECK_WAIT_SECONDS: "60",
  });
  // As `selo migrate` writes it.
  await stage.selo.operator.changeSetting("icp_brasil_roots_test", trusted.folder);
  await photographMockups(stage.browser, mockupsOf(SIGN_STATES, looks));
});
afterAll(() => stage.close());
afterEach(closeBrowsers);

const looksOf = (name: string, language: Language) =>
  looks[`sign-${name}`]?.filter((look) => look.language === language) ?? [];
/** Pictures of the state, with the focus where the page put it. */
async function picture(page: Page, name: string, language: Language): Promise<void> {
  const state = `sign-${name}`;
  await photograph(page, state, looksOf(name, language), SIGN_STATES[state] as Pictured);
}

describe.each(LANGUAGES)("%s", (language) => {
  const words = WORDS[language];

  test("the way from the request to the end", { timeout: 240_000 }, async () => {
    const out = await aContract(stage, language);
    const signer = out.signers[0] as Signer;
    const { page } = await openBrowser(stage, { locale: language });
    await page.goto(await linkOf(stage, signer));
    await button(page, words.getCode).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe(language);
    await picture(page, "request", language);
    await button(page, words.getCode).click();
    await page.getByLabel(words.codeLabel).fill("12");
    await button(page, words.goOn).click();
    await page.locator("#code-error").waitFor();
    await picture(page, "code", language);
    await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer));
    await button(page, words.goOn).click();
    await page.locator(".sheet canvas").first().waitFor();
    await picture(page, "read", language);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator("button.only-wide").click();
    await page.locator(".qr .ink").waitFor();
    await picture(page, "phone", language);
    await page.keyboard.press("Escape");
    await button(page, words.decline).click();
    await page.getByRole("dialog").getByRole("textbox").fill("O valor do aluguel não é o que combinamos.");
    await picture(page, "decline", language);
    await page.keyboard.press("Escape");
    await read(page, language);
    await button(page, words.toNext).click();
    await button(page, words.nextField).click();
    await page.locator(".panel").waitFor();
    await picture(page, "box", language);
    await page.locator(".panel input").last().check({ force: true });
    await page.keyboard.press("Enter");
    await page.locator(".panel .field-error").waitFor();
    await picture(page, "text", language);
    await page.getByRole("textbox").fill("47 99912-3456");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByLabel(words.agree).waitFor();
    await picture(page, "act", language);
    await page.locator(".segments label", { hasText: words.type }).click();
    await button(page, words.sign).click();
    await page.locator("#agreement-error").waitFor();
    await picture(page, "act-missing", language);
    await stage.selo.database.admin.query(
      "update signature.signing_sessions set expires_at = now() where envelope_id = $1",
      [out.id],
    );
    await sign(page, language);
    await page.locator(".sign-notice").waitFor();
    await picture(page, "session", language);
    await button(page, words.getCode).click();
    await page.getByLabel(words.codeLabel).fill(await secondCode(stage, signer));
    await button(page, words.goOn).click();
    await sign(page, language);
    await page.getByRole("heading", { name: words.signed }).waitFor();
    await picture(page, "done", language);
  });

  test("a file, and numbers that are calculated", { timeout: 240_000 }, async () => {
    const pt = language === "pt-BR";
    const title = "Contrato de locação residencial, Rua das Palmeiras, 120";
    const draft = { language, field_placement: "fields", title };
    const out = await anOut(
      stage,
      [{}],
      draft,
      async (id, [signer], document) => {
        const place = { participant_id: signer, document_id: document, page: 1, x: 0.4, width: 0.4, height: 0.04 };
        const total = await aField(stage, id, { ...place, y: 0.2, type: "numero", label: "Aluguel anual (R$)" });
        const parts = await aField(stage, id, { ...place, y: 0.3, type: "numero", label: "Número de parcelas" });
        const formula = `{${total.id}} / {${parts.id}}`;
        await aField(stage, id, { ...place, y: 0.4, type: "calculado", label: "Valor da parcela (R$)", formula });
        await aField(stage, id, { ...place, y: 0.5, type: "anexo", label: "Comprovante de renda" });
        await aField(stage, id, { ...place, y: 0.7, type: "assinatura" });
      },
      fs.readFileSync(CONTRACT),
    );
    const { page } = await openBrowser(stage, { locale: language });
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await signIn(stage, page, out.signers[0] as Signer, language);
    await read(page, language);
    await button(page, words.toNext).click();
    await page.getByRole("textbox").fill(pt ? "28200,50" : "28200.50");
    await button(page, words.nextField).click();
    await page.getByRole("textbox").fill("0");
    await button(page, words.nextField).click();
    await page.locator(".calculated").waitFor();
    await picture(page, "calculated", language);
    await button(page, words.nextField).click();
    const file = page.locator("input[type=file]");
    await file.waitFor({ state: "attached" });
    await picture(page, "attachment", language);
    await file.setInputFiles({ name: "renda.docx", mimeType: "text/plain", buffer: Buffer.from("renda") });
    await page.locator(".field-error").waitFor();
    await picture(page, "attachment-type", language);
    await file.setInputFiles({ name: "holerites.pdf", mimeType: "application/pdf", buffer: WITH_JAVASCRIPT });
    await page.locator(".field-error", { hasText: "holerites.pdf" }).waitFor();
    await picture(page, "attachment-refused", language);
    // The service takes its time.
    const asked = Promise.withResolvers<void>();
    await page.route("**/attachments/*", async (route) => {
      await asked.promise;
      await route.continue();
    });
    await file.setInputFiles({ name: "holerites-set-nov.png", mimeType: "image/png", buffer: PIXEL });
    await page.locator(".attachment progress").waitFor();
    await picture(page, "attachment-sending", language);
    asked.resolve();
    await page.locator(".file.done").waitFor();
    await picture(page, "attachment-done", language);
    await button(page, words.toSignature).click();
    await sign(page, language);
    await page.locator(".field-error").waitFor();
    await picture(page, "calculated-fault", language);
  });

  test("the code of an SMS", { timeout: 120_000 }, async () => {
    const out = await anOut(stage, [{ auth_method: "otp_sms", phone: "+5547999123456" }], { language });
    const { page } = await openBrowser(stage, { locale: language });
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await button(page, words.getCode).waitFor();
    await picture(page, "request-sms", language);
    await button(page, words.getCode).click();
    await page.getByLabel(words.codeLabel).waitFor();
    await picture(page, "sms", language);
  });

  test("the way to somebody else", { timeout: 240_000 }, async () => {
    const out = await anOut(
      stage,
      [{}],
      { language, allow_delegation: true, title: "Contrato de locação residencial, Rua das Palmeiras, 120" },
      undefined,
      fs.readFileSync(CONTRACT),
    );
    const signer = out.signers[0] as Signer;
    const { page } = await openBrowser(stage, { locale: language });
    const link = await linkOf(stage, signer);
    await page.goto(link);
    await page.getByText(words.notMe).click();
    // A code comes first: the link alone hands nothing on.
    await button(page, words.handOn).click();
    await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer));
    await button(page, words.goOn).click();
    await page.locator("#other-name").waitFor();
    await button(page, words.goOn).click();
    await page.locator("#other-name-error").waitFor();
    await page.locator("#other-name").fill("Rafael Nunes Moreira");
    await page.locator("#other-email").fill(signer.email);
    await button(page, words.goOn).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".button.main").click();
    // The service alone knows the address of the participant.
    await page.locator("#other-email-error").waitFor();
    await picture(page, "hand-on", language);
    const other = { id: signer.id, email: `rafael-${out.id}@exemplo.com` };
    await page.locator("#other-email").fill(other.email);
    await page.reload();
    expect(await page.locator("#other-email").inputValue()).toBe(other.email);
    await button(page, words.goOn).click();
    await dialog.locator(".button.main").waitFor();
    await picture(page, "hand-on-confirm", language);
    await dialog.locator(".button.main").click();
    await page.locator(".state-mark.ok").waitFor();
    await heading(page);
    await picture(page, "handed-on", language);
    expect(await page.evaluate("Object.entries(sessionStorage)")).toEqual([]);
    await page.reload();
    await page.locator(".state-mark.ok").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("Rafael");
    const { page: second } = await openBrowser(stage, { locale: language });
    await second.goto(await linkOf(stage, other));
    await button(second, words.getCode).waitFor();
    expect(await second.locator("body").innerText()).toContain("Rafael Nunes Moreira");
    await second.goto("about:blank");
    await second.goto(link);
    await second.locator(".state-mark").waitFor();
  });

  test("the way with a certificate", { timeout: 240_000 }, async () => {
    const out = await anOut(
      stage,
      [{ modality: "qualificada", cpf: "529.982.247-25" }],
      { language, title: "Contrato de locação residencial, Rua das Palmeiras, 120" },
      undefined,
      fs.readFileSync(CONTRACT),
    );
    const { page, context } = await openBrowser(stage, { locale: language });
    const link = await linkOf(stage, out.signers[0] as Signer);
    const reach = async (to: Page) => {
      await to.goto(link);
      await button(to, words.goOn).click();
      await to.locator(".sheet canvas").first().waitFor();
      await read(to, language);
      await heading(to);
    };
    await reach(page);
    await page.locator("#own-file").waitFor({ state: "attached" });
    await picture(page, "certificate", language);
    const open = async (file: ReturnType<typeof p12Of>, password = PASSWORD) => {
      await page.locator("#own-file").setInputFiles(file);
      await page.locator("#own-password").fill(password);
      await page.locator(".act .main").click();
    };
    const marina = p12Of({ name: "MARINA COSTA DE OLIVEIRA" });
    await open(marina, "outra");
    await page.locator("#own-password-error").waitFor();
    await picture(page, "certificate-password", language);
    await open(p12Of({ name: "BRUNO LIMA", cpf: "11144477735" }));
    await page.locator("#own-file-error").waitFor();
    await picture(page, "certificate-refused", language);
    // The service takes its time.
    const asked = Promise.withResolvers<void>();
    await page.route("**/certificate", async (route) => {
      await asked.promise;
      await route.continue();
    });
    await open(marina);
    await page.locator(".own-doing .past").waitFor();
    await picture(page, "certificate-opening", language);
    asked.resolve();
    await page.getByLabel(words.agree).check();
    await picture(page, "certificate-sign", language);
    const second = await context.newPage();
    await second.addInitScript("delete Crypto.prototype.subtle");
    await reach(second);
    await picture(second, "certificate-insecure", language);
    await second.close();
    await page.locator(".act .main").click();
    await page.locator(".own-dropped").waitFor();
    await picture(page, "certificate-signed", language);
  });

  test("the second factors", { timeout: 240_000 }, async () => {
    const title = "Contrato de locação residencial, Rua das Palmeiras, 120";
    const reach = async (auth_method: string, named: object = {}) => {
      const participant = { auth_method, cpf: "529.982.247-25", ...named };
      const signer = (await anOut(stage, [participant], { language, title })).signers[0] as Signer;
      const { page } = await openBrowser(stage, { locale: language });
      await page.goto(await linkOf(stage, signer));
      await signIn(stage, page, signer, language);
      return page;
    };
    const cpf = await reach("cpf");
    await cpf.locator("#cpf").waitFor();
    await picture(cpf, "cpf", language);
    await cpf.locator("#cpf").fill("111.444.777-35");
    await button(cpf, words.goOn).click();
    await cpf.locator("#cpf-error").waitFor();
    await picture(cpf, "cpf-wrong", language);
    const questions = await reach("kba");
    const choose = async (place: "first" | "last") => {
      await questions.getByRole("radio")[place]().check();
      await questions.locator(".act .main").click();
    };
    await choose("first");
    await questions.getByRole("radio", { name: "Banco 1" }).check();
    await picture(questions, "questions", language);
    await choose("first");
    await questions.getByRole("radio", { name: "Rua D" }).check();
    await picture(questions, "questions-last", language);
    const match = await reach("identity_match");
    await heading(match);
    await match.locator(".act .main").waitFor();
    await picture(match, "identity", language);
    const refused = await reach("identity_match", { name: "Marina Mismatch" });
    await button(refused, words.goOn).click();
    await refused.locator(".state-mark").waitFor();
    await picture(refused, "identity-refused", language);
  });

  const shown = Object.entries(FAULTS).filter(([name]) => looksOf(name, language).length > 0);
  let sent: Promise<string> | undefined;
  const send = async () => linkOf(stage, (await anOut(stage, [{}], { language })).signers[0] as Signer);
  test.each(shown)("%s", async (name, reach) => {
    const { page } = await openBrowser(stage, { locale: language });
    // One request for all of them.
    sent ??= send();
    await reach(page, await sent, language);
    await heading(page);
    await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe(language);
    await picture(page, name, language);
  });
});

test("text of twice the size needs no sideways scrolling, and every button is reached (WCAG 1.4.4)", async () => {
  const out = await aContract(stage, "pt-BR");
  const signer = out.signers[0] as Signer;
  const { page } = await openBrowser(stage, { viewport: { width: 360, height: 740 } });
  await page.goto(await linkOf(stage, signer));
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await button(page, WORDS["pt-BR"].getCode).waitFor();
  const wide = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.sign *')].filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && each.closest('.sheets, .reader-bar') === null).map((each) => each.outerHTML.slice(0, 90))",
    );
  expect(await wide()).toEqual([]);
  await signIn(stage, page, signer);
  await page.locator(".sheet").first().waitFor();
  expect(await wide()).toEqual([]);
});

test("the page of the pictures shows every state", () => {
  writeGroupPage("sign", SIGN_STATES, looks, start);
  expect(missingPictures("sign", start)).toEqual([]);
});
