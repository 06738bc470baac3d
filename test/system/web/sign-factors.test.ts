// Second factors on the signing page, on a phone, against the real server: one of each kind, in both languages.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { read as readEnvelope } from "../../services/signature/envelope-stage.ts";
import { axe } from "../../support/axe.ts";
import {
  anOut,
  button,
  closeBrowsers,
  linkOf,
  openBrowser,
  openSignStage,
  read,
  type SignStage,
  type Spoken,
  sign,
  signIn,
  WORDS,
} from "./sign-stage.ts";

const CPF = "529.982.247-25";
const SAID = {
  "pt-BR": {
    cpf: "Confirme o seu CPF",
    wrong: "Não é o CPF que consta no pedido. Restam 4 tentativas.",
    malformed: /^O CPF tem 11 números/,
    questions: "Responda para confirmar que é você",
    last: "Últimas perguntas",
    next: "Próxima pergunta",
    missing: "Escolha uma das respostas.",
    match: "Confirme a sua identidade",
    unconfirmed: "Não foi possível confirmar a sua identidade",
    locked: "Este link está bloqueado",
  },
  en: {
    cpf: "Confirm your CPF",
    wrong: "This is not the CPF of the request. 4 tries are left.",
    malformed: /^A CPF has 11 digits/,
    questions: "Answer to confirm that it is you",
    last: "Last questions",
    next: "Next question",
    missing: "Choose one of the answers.",
    match: "Confirm your identity",
    unconfirmed: "Your identity could not be confirmed",
    locked: "This link is locked",
  },
} as const;

let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage();
});
afterAll(() => stage.close());
afterEach(closeBrowsers);

const h1 = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

/** A participant who has typed the code. */
async function aHalfSignedIn(language: Spoken, participant: object, envelope: object = {}) {
  const { id, signers } = await anOut(stage, [participant], { language, ...envelope });
  const [signer] = signers;
  if (signer === undefined) throw new Error("nobody signs");
  const { page, requests } = await openBrowser(stage);
  await page.goto(await linkOf(stage, signer));
  await signIn(stage, page, signer, language);
  return { id, page, requests };
}

const finish = async (id: string, page: Page, language: Spoken) => {
  await read(page, language);
  await sign(page, language);
  await expect.poll(async () => (await readEnvelope(stage, id)).participants[0]?.status).toBe("completed");
};

test.each<Spoken>(["pt-BR", "en"])("cpf: malformed, wrong, a reload, right: %s", async (language) => {
  const said = SAID[language];
  const { id, page } = await aHalfSignedIn(language, { auth_method: "cpf", cpf: CPF });
  await h1(page, said.cpf);
  expect((await axe(page).analyze()).violations).toEqual([]);
  const field = page.getByLabel("CPF");
  await field.fill("123");
  await button(page, WORDS[language].goOn).click();
  await page.getByText(said.malformed).waitFor();
  await field.fill("111.444.777-35");
  await button(page, WORDS[language].goOn).click();
  await page.getByText(said.wrong).waitFor();
  expect((await axe(page).analyze()).violations).toEqual([]);
  // The session still waits for it, and nothing that was typed is kept.
  await page.reload();
  await h1(page, said.cpf);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/111\.?444/);
  await field.fill(CPF);
  await button(page, WORDS[language].goOn).click();
  await finish(id, page, language);
});

test.each<Spoken>(["pt-BR", "en"])("kba: a round that is not enough, then the last one: %s", async (language) => {
  const said = SAID[language];
  const { id, page } = await aHalfSignedIn(language, { auth_method: "kba", cpf: CPF });
  await h1(page, said.questions);
  await page.getByLabel("Rua A").waitFor();
  await button(page, said.next).click();
  await page.getByText(said.missing).waitFor();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByLabel("Rua A").check();
  await button(page, said.next).click();
  await page.getByLabel("Banco 1").check();
  await button(page, WORDS[language].goOn).click();
  await h1(page, said.last);
  await page.getByLabel("Rua D").check();
  await button(page, said.next).click();
  await page.getByLabel("Banco 3").check();
  await button(page, WORDS[language].goOn).click();
  await finish(id, page, language);
});

test.each<Spoken>(["pt-BR", "en"])("identity_match: a match, and none: %s", async (language) => {
  const said = SAID[language];
  const participant = { auth_method: "identity_match", cpf: CPF };
  const { id, page } = await aHalfSignedIn(language, participant);
  await h1(page, said.match);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await button(page, WORDS[language].goOn).click();
  await finish(id, page, language);
  const { page: refused } = await aHalfSignedIn(language, { ...participant, name: "Marina Mismatch" });
  await button(refused, WORDS[language].goOn).click();
  await h1(refused, said.unconfirmed);
  expect((await axe(refused).analyze()).violations).toEqual([]);
});
