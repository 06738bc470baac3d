// A file by the picker of a phone, and a number that is calculated in the act, in both languages.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PIXEL } from "../../services/signature/completion-stage.ts";
import { aField, ask, read as readEnvelope } from "../../services/signature/envelope-stage.ts";
import { axe } from "../../support/axe.ts";
import { WITH_JAVASCRIPT } from "../../support/uploads.ts";
import { PHONE, screenshot } from "./browser.ts";
import {
  anOut,
  button,
  closeBrowsers,
  linkOf,
  openBrowser,
  openSignStage,
  read,
  type Signer,
  type SignStage,
  type Spoken,
  sign,
  signIn,
  WORDS,
} from "./sign-stage.ts";

let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage({ DOCUMENT_CHECK_WAIT_SECONDS: "60" });
});
afterAll(() => stage.close());
afterEach(closeBrowsers);

const SAID = {
  en: {
    calculated: "Calculated when you sign",
    refused: /contrato\.pdf was not accepted: it contains a program/,
    type: /nota\.txt was not accepted: only PDF, PNG and JPEG/,
    ready: "0.1 MB. It goes along with the document.",
    change: "Change the file",
    zero: /This cannot be calculated/,
  },
  "pt-BR": {
    calculated: "Calculado quando você assinar",
    refused: /contrato\.pdf não foi aceito: ele traz um programa/,
    type: /nota\.txt não foi aceito: só servem PDF, PNG e JPEG/,
    ready: "0,1 MB. Vai junto com o documento.",
    change: "Trocar o arquivo",
    zero: /Não é possível calcular/,
  },
} as const;

test.each(["en", "pt-BR"] as const)(
  "a file and a formula, by touch, in %s",
  { timeout: 180_000 },
  async (language: Spoken) => {
    const ids = { parts: "", share: "", file: "" };
    const out = await anOut(stage, [{}], { language, field_placement: "fields" }, async (id, [signer], document) => {
      const place = { participant_id: signer, document_id: document, page: 1, x: 0.3, width: 0.4, height: 0.04 };
      ids.parts = (await aField(stage, id, { ...place, y: 0.2, type: "numero", label: "Parcelas" })).id;
      const formula = `2350 / {${ids.parts}}`;
      ids.share = (await aField(stage, id, { ...place, y: 0.3, type: "calculado", label: "Valor", formula })).id;
      ids.file = (await aField(stage, id, { ...place, y: 0.4, type: "anexo", label: "Comprovante" })).id;
      await aField(stage, id, { ...place, y: 0.6, type: "assinatura" });
    });
    const said = SAID[language];
    const words = WORDS[language];
    const { page } = await openBrowser(stage, { viewport: PHONE, hasTouch: true, isMobile: true, locale: language });
    const isClean = async () => expect((await axe(page).analyze()).violations).toEqual([]);
    const choose = (name: string, buffer: Buffer, mimeType = "application/pdf") =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });

    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await signIn(stage, page, out.signers[0] as Signer, language);
    await read(page, language);
    await button(page, words.toNext).tap();
    await page.getByRole("textbox").fill("0");
    await button(page, words.nextField).tap();
    await page.locator(".calculated").getByText(said.calculated).waitFor();
    expect(await page.locator(".calculated dd").innerText()).toBe("0");
    await isClean();
    await screenshot(page, `sign-calculated-${language}`);
    await button(page, words.nextField).tap();

    await choose("nota.txt", Buffer.from("nota"), "text/plain");
    await page.getByText(said.type).waitFor();
    await choose("contrato.pdf", WITH_JAVASCRIPT);
    await page.getByText(said.refused).waitFor();
    await isClean();
    await screenshot(page, `sign-attachment-refused-${language}`);
    await choose("comprovante.png", PIXEL, "image/png");
    await page.getByText(said.ready).waitFor();
    await page.getByText(said.change).waitFor();
    await isClean();
    await screenshot(page, `sign-attachment-${language}`);

    // The server has the file: a page that is loaded anew shows it.
    await page.reload();
    await page.getByText(said.ready).waitFor();
    await button(page, words.toSignature).tap();
    await sign(page, language);
    // Nothing is divided by zero: the page leads to the calculation, and from there to the number.
    await page.getByText(said.zero).waitFor();
    await isClean();
    await page.locator(".panel-steps .button").first().tap();
    await page.getByRole("textbox").fill("4");
    await button(page, words.nextField).tap();
    expect(await page.getByText(said.zero).count()).toBe(0);
    await button(page, words.nextField).tap();
    await button(page, words.toSignature).tap();
    await sign(page, language);
    await page.getByRole("heading", { name: words.signed }).waitFor();

    const { fields } = await readEnvelope(stage, out.id);
    const resultOf = (id: string) => fields.find((field: { id: string }) => field.id === id).value;
    expect(resultOf(ids.share)).toBe("587.5");
    expect(resultOf(ids.file)).toBe("comprovante.png");
    expect((await ask(stage, "GET", `/envelopes/${out.id}/attachments/${ids.file}`)).status).toBe(200);
  },
);
