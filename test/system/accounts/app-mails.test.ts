// What people do on the dashboard with a link that a worker mailed: they accept an invitation, or choose another password.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxOf } from "../../../src/surfaces/dev-inbox/inbox.ts";
import { startMailCatcher } from "../../../src/surfaces/dev-inbox/mail-catcher.ts";
import { addPerson, invite, PASSWORD, signedIn } from "../../services/accounts/accounts-stage.ts";
import { startMailer } from "../../support/inbox-stage.ts";
import { type AppStage, button, enter, heading, openApp, openAppStage, openMailed } from "./app-stage.ts";

let stage: AppStage;
let endMails: () => Promise<void>;
beforeAll(async () => {
  stage = await openAppStage();
  const catcher = await startMailCatcher(inboxOf(stage.selo.config));
  const worker = await startMailer(stage.selo, catcher);
  endMails = async () => {
    await worker.stop();
    await catcher.close();
  };
});
afterAll(async () => {
  await endMails?.();
  await stage?.close();
});

test("an invited person who is new chooses name and password; the link is good once", async () => {
  const { headers } = await signedIn(stage.selo, stage.organization, "owner");
  const email = "elis@acme.example";
  await invite(stage.selo, headers, email);
  const { page, close } = await openApp(stage);
  await openMailed(stage, page, email);
  await heading(page, "Acme Tecnologia Ltda. convida você");
  await page.getByText("Opera. Também registra provas").waitFor();
  // What a password manager keeps the password under.
  expect(await page.locator("form [autocomplete=username]").inputValue()).toBe(email);
  await button(page, "Aceitar e entrar").click();
  await page.getByText("Digite o seu nome.").waitFor();
  await page.getByLabel("Seu nome").fill("Elis Prado");
  const password = page.getByLabel("Escolha uma senha");
  await password.fill("aaaaaaaaaaaaaaaa");
  await button(page, "Aceitar e entrar").click();
  await page.getByText("Fácil de adivinhar").waitFor();
  expect(await page.getByLabel("Seu nome").inputValue()).toBe("Elis Prado");
  await password.fill(PASSWORD);
  await password.press("Enter");
  await heading(page, "Visão geral");
  await button(page, "Abrir o menu").click();
  await page.getByRole("dialog").getByText("Elis Prado").waitFor();
  await openMailed(stage, page, email);
  await heading(page, "Este convite não vale mais");
  await close();
});

test("an invited person who is known proves the password, and sees the organization beside the others", async () => {
  const { headers } = await signedIn(stage.selo, stage.organization, "owner");
  const other = await stage.selo.newOrganization({ name: "Contábil Sá", language: "pt-BR" });
  const { email } = await addPerson(stage.selo, other, "owner");
  await invite(stage.selo, headers, email, "accountant");
  const { page, close } = await openApp(stage, { viewport: { width: 1280, height: 900 } });
  await openMailed(stage, page, email);
  const password = page.getByLabel("Sua senha");
  await password.fill("wrong-horse-battery");
  await button(page, "Aceitar e entrar").click();
  await page.getByText("Senha errada.").waitFor();
  await password.fill(PASSWORD);
  await button(page, "Aceitar e entrar").click();
  await heading(page, "Visão geral");
  await button(page.getByRole("complementary"), /Acme Tecnologia/).click();
  await page.getByRole("menuitemradio", { name: /Contábil Sá/ }).waitFor();
  await close();
});

test("who forgot the password gets a link, sets another one, and signs in with it", async () => {
  const { email } = await addPerson(stage.selo, stage.organization, "member");
  const { page, close } = await openApp(stage);
  await page.goto("/app");
  await page.getByRole("link", { name: "Esqueci a senha" }).click();
  await button(page, "Enviar o link").click();
  await page.getByText("Digite o seu e-mail").waitFor();
  await page.getByLabel("E-mail").fill(email);
  await button(page, "Enviar o link").click();
  await heading(page, "Veja o seu e-mail");
  await openMailed(stage, page, email);
  await heading(page, "Escolha a sua senha");
  await page.getByLabel("Senha nova").fill("trilho manga varanda azul");
  await button(page, "Salvar a senha").click();
  await heading(page, "Senha salva");
  await page.getByRole("link", { name: "Entrar" }).click();
  await enter(page, email);
  await page.getByText("E-mail ou senha errados.").waitFor();
  await enter(page, email, "trilho manga varanda azul");
  await heading(page, "Visão geral");
  await close();
});
