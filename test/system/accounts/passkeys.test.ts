// Passkeys in a browser, with the device that Chromium plays itself: added, used to sign in, demanded, and removed.
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPerson, PASSWORD } from "../../services/accounts/accounts-stage.ts";
import { type AppStage, enter, heading, openApp, openAppStage } from "./app-stage.ts";

let stage: AppStage;
beforeAll(async () => {
  stage = await openAppStage({}, "localhost");
});
afterAll(() => stage.close());

/** A device with user verification, such as a phone with a fingerprint reader. */
async function addDevice(page: Page): Promise<{ readonly client: CDPSession; readonly authenticatorId: string }> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function addPasskey(page: Page, name: string): Promise<void> {
  await button(page, "Criar chave de acesso").click();
  const dialog = page.getByRole("dialog", { name: "Criar chave de acesso" });
  await dialog.getByLabel("Que nome dar a ela?").fill(name);
  await dialog.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await button(page, "Continuar").click();
  await dialog.waitFor({ state: "detached" });
}

test("a person adds a passkey, signs in with it alone, and removes it", async () => {
  const { page, context, close } = await openApp(stage);
  const { email } = await addPerson(stage.selo, stage.organization, "member");
  const { client, authenticatorId } = await addDevice(page);
  await page.goto("/app/account");
  // Nobody has a passkey yet: the browser gives up.
  await button(page, "Entrar com chave de acesso").click();
  await page.getByText("O navegador não concluiu. Tente de novo, ou entre com a senha.").waitFor();
  await enter(page, email);
  await button(page, "Criar chave de acesso").click();
  await button(page, "Continuar").click();
  await page.getByText("Dê um nome.").waitFor();
  await button(page, "Desistir").click();
  await addPasskey(page, "Celular da Ana");
  await page.getByText("Celular da Ana").waitFor();
  await page.getByText("Ainda não usada. Criada: hoje").waitFor();
  const { credentials } = await client.send("WebAuthn.getCredentials", { authenticatorId });
  expect(credentials).toMatchObject([{ rpId: "localhost", isResidentCredential: true, userName: email }]);
  // The device is asked whether it has one, and says so.
  await button(page, "Criar chave de acesso").click();
  await page.getByLabel("Que nome dar a ela?").fill("De novo");
  await page.getByRole("dialog").getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await button(page, "Continuar").click();
  await page.getByText("Este aparelho já tem uma chave de acesso da sua conta.").waitFor();
  await button(page, "Desistir").click();
  await context.clearCookies();
  await page.goto("/app/account");
  await button(page, "Entrar com chave de acesso").click();
  await page.getByText("Usada por último: hoje").waitFor();
  await page.getByText(/^Chave de acesso · /).waitFor();
  await button(page, "Remover: Celular da Ana").click();
  const dialog = page.getByRole("dialog", { name: "Remover a chave de acesso?" });
  await dialog.getByLabel("Senha", { exact: true }).fill("errada-de-verdade");
  await dialog.getByRole("button", { name: "Remover" }).click();
  await dialog.getByText("Senha errada.").waitFor();
  await dialog.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Remover" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Celular da Ana").waitFor({ state: "detached" });
  await context.clearCookies();
  await page.goto("/app");
  await button(page, "Entrar com chave de acesso").click();
  await page.getByText("Esta chave de acesso não é conhecida aqui").waitFor();
  await close();
});

test("where a second factor is demanded, a passkey is one, and the password alone is not", async () => {
  const organization = await stage.selo.newOrganization({ name: "Beta", language: "pt-BR" });
  await stage.selo.database.admin.query("insert into accounts.sign_in_rules values ($1, true)", [organization.id]);
  const { email } = await addPerson(stage.selo, organization, "owner");
  const { page, context, close } = await openApp(stage);
  await addDevice(page);
  await page.goto("/app");
  await enter(page, email);
  await heading(page, "Falta o segundo fator");
  await addPasskey(page, "Computador");
  await heading(page, "Visão geral");
  await context.clearCookies();
  await page.goto("/app");
  await enter(page, email);
  await page.getByText("Você tem uma chave de acesso. Entre com ela para continuar:").waitFor();
  await button(page, "Entrar com chave de acesso").click();
  await heading(page, "Visão geral");
  await close();
});
