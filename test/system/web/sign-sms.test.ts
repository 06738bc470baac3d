// The signing page of a participant whose code comes by SMS: on a phone, in both languages, from the mail's link to the end.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { evidenceOf } from "../../services/signature/completion-stage.ts";
import { PHONE } from "./browser.ts";
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
  sign,
  smsCodeOf,
  WORDS,
} from "./sign-stage.ts";

let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage();
});
afterAll(() => stage?.close());
afterEach(closeBrowsers);

const SAID = {
  "pt-BR": {
    goesTo: "O código vai por SMS para o celular +55\u00a0•••••••••56",
    heading: "Digite o código do SMS",
    sent: "Enviamos 6 números para o celular +55\u00a0•••••••••56",
    nobody: "Ninguém do Selo pede este código por telefone, e-mail ou mensagem.",
    notReceived: "Não recebi o SMS",
    help: "Se o número acima não for o seu, avise",
    another: /^Enviar outro SMS \(em /,
    how: "Código enviado por SMS para o celular +55\u00a0•••••••••56, digitado",
  },
  en: {
    goesTo: "The code goes by SMS to the phone +55\u00a0•••••••••56",
    heading: "Type the code of the SMS",
    sent: "We sent 6 digits to the phone +55\u00a0•••••••••56",
    nobody: "Nobody from Selo asks for this code by telephone, e-mail or message.",
    notReceived: "I did not get the SMS",
    help: "If the number above is not yours, tell",
    another: /^Send another SMS \(in /,
    how: "A code that was sent by SMS to the phone +55\u00a0•••••••••56, typed",
  },
} as const;

test.each(["pt-BR", "en"] as const)(
  "in %s: the number is masked, telephones may fill in the code, and the copy goes by mail",
  { timeout: 120_000 },
  async (language) => {
    const [words, said] = [WORDS[language], SAID[language]];
    const out = await anOut(stage, [{ auth_method: "otp_sms", phone: "+5547999123456" }], { language });
    const { page } = await openBrowser(stage, { locale: language, viewport: PHONE });
    const text = () => page.locator("body").innerText();
    await page.goto(await linkOf(stage, out.signers[0] as Signer));
    await button(page, words.getCode).waitFor();
    expect(await text()).toContain(said.goesTo);
    await button(page, words.getCode).click();
    await page.getByRole("heading", { name: said.heading }).waitFor();
    for (const part of [said.sent, said.nobody]) expect(await text()).toContain(part);
    await page.getByText(said.notReceived).click();
    expect(await text()).toContain(said.help);
    await page.getByRole("button", { name: said.another }).waitFor();
    const field = page.getByLabel(words.codeLabel);
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await field.getAttribute("inputmode")).toBe("numeric");
    // The page stays the same when it is loaded again.
    await page.reload();
    await page.getByRole("heading", { name: said.heading }).waitFor();
    await field.fill(await smsCodeOf(stage, out));
    await button(page, words.goOn).click();
    await read(page, language);
    await sign(page, language);
    await page.getByRole("heading", { name: words.signed }).waitFor();
    const done = await text();
    expect(done).toContain(said.how);
    expect(done).toMatch(/(enviamos o documento assinado para|we send the signed document to) m•••@e•••\.com/);
    expect(done).not.toContain("47999123456");
    expect((await evidenceOf(stage, out.id)).records[0].evidence.authentication).toMatchObject([{ method: "otp_sms" }]);
  },
);
