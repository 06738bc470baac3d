// What an organization lets people do on the dashboard: a demanded second factor, keys of DNS, leaving, and lists that are long.
import { type TOTP, URI } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPerson, PASSWORD, signedIn } from "../../services/accounts/accounts-stage.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";
import { type AppStage, button, enter, heading, openApp, openAppStage } from "./app-stage.ts";

const DESKTOP = { viewport: { width: 1280, height: 900 } };

let stage: AppStage;
beforeAll(async () => {
  stage = await openAppStage();
});
afterAll(() => stage?.close());

/** Types the password and the first code of the app that the dialog hands a secret to, and ticks that the recovery codes are kept. */
async function setUpFactor(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const address = await dialog.locator("a[href^='otpauth:']").getAttribute("href");
  await dialog.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await dialog.getByLabel("Código que o aplicativo mostra").fill((URI.parse(address ?? "") as TOTP).generate());
  await button(dialog, "Continuar").click();
  await dialog.getByRole("checkbox").check();
  await button(dialog, "Concluir").click();
  await dialog.waitFor({ state: "detached" });
}

test("an owner demands a second factor: members see only the set-up, until it is done; a lost one is taken off", async () => {
  const organization = await stage.selo.newOrganization({ name: "Contábil Sá", language: "pt-BR" });
  const owner = await addPerson(stage.selo, organization, "owner");
  const member = await addPerson(stage.selo, organization, "member", "davi@contabil.example");
  const { page, close } = await openApp(stage, DESKTOP);
  await page.goto("/app/organization");
  await enter(page, owner.email);
  const rules = page.locator("form", { has: page.getByRole("checkbox", { name: /Exigir segundo fator/ }) });
  await rules.getByRole("checkbox").check();
  await rules.getByText("ficam sem acesso até ligar o segundo fator").getByText(/davi/).waitFor();
  await button(rules, "Salvar").click();
  await rules.getByText("Antes, ligue o seu próprio segundo fator").waitFor();
  await page.getByRole("link", { name: /Sua conta/ }).click();
  await button(page, "Ligar o segundo fator").click();
  await setUpFactor(page);
  await page.getByRole("link", { name: "Membros", exact: true }).click();
  const row = page.getByRole("row", { name: /davi@contabil/ });
  await row.getByText("desligado").waitFor();
  await page.getByRole("link", { name: "Organização", exact: true }).click();
  await rules.getByRole("checkbox").check();
  await button(rules, "Salvar").click();
  await rules.getByText("Salvo").waitFor();

  const demanded = await openApp(stage);
  await demanded.page.goto("/app/members");
  await enter(demanded.page, member.email);
  await heading(demanded.page, "Falta o segundo fator");
  await button(demanded.page, "Configurar o aplicativo").click();
  await setUpFactor(demanded.page);
  await heading(demanded.page, "Membros");
  await demanded.page.getByText(owner.email).waitFor();
  await demanded.close();

  await page.getByRole("link", { name: "Membros", exact: true }).click();
  await row.getByText("aplicativo").waitFor();
  // Nobody takes the own factor off here.
  expect(await button(page, /^Retirar fator/).count()).toBe(1);
  await button(row, /^Retirar fator/).click();
  const dialog = page.getByRole("dialog", { name: "Retirar o segundo fator de davi?" });
  await dialog.getByText("exige um segundo fator").waitFor();
  await button(dialog, "Retirar fator").click();
  await dialog.waitFor({ state: "detached" });
  await row.getByText("falta").waitFor();
  await close();
});

test("an owner makes a key of DNS for one zone, and revokes it", async () => {
  const { email, headers } = await signedIn(stage.selo, stage.organization, "owner");
  for (const name of ["acme.example", "loja.example"])
    await graphql(stage.selo, headers, `mutation { createDnsZone(input: { name: "${name}" }) { zone { id } } }`);
  const { page, close } = await openApp(stage);
  await page.goto("/app/dns-keys");
  await enter(page, email);
  // Keys act in live, whatever the environment of the page.
  await button(page, "Teste").click();
  await button(page, "Criar chave").click();
  const form = page.getByRole("dialog", { name: "Criar chave de DNS" });
  await form.getByLabel("Nome").fill("Certificados");
  await form.getByRole("checkbox", { name: "Só para certificados" }).check();
  await form.getByRole("radio", { name: "Só as que eu escolher" }).check();
  await button(form, "Criar chave").click();
  await form.getByText("Escolha pelo menos uma zona.").waitFor();
  await form.getByRole("checkbox", { name: "loja.example" }).check();
  await button(form, "Criar chave").click();
  const made = page.getByRole("dialog", { name: "Chave de DNS criada" });
  const token = await made.locator("code").innerText();
  const zones = () => call(stage.selo, "GET", `/orgs/${stage.organization.number}/zones`, { prefix: "/v1", token });
  expect((await zones()).text).toContain("loja.example");
  expect((await zones()).text).not.toContain("acme.example");
  await made.getByRole("checkbox").check();
  await button(made, "Fechar").click();
  await made.waitFor({ state: "detached" });
  const row = page.getByRole("row", { name: /Certificados/ });
  await row.getByText("loja.example").waitFor();
  await button(row, /^Revogar/).click();
  await button(page.getByRole("dialog"), "Revogar").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("Nenhuma chave ainda").waitFor();
  expect((await zones()).status).toBe(401);
  await close();
});

test("a person leaves an organization, and signs in to the other one", async () => {
  const leaving = await stage.selo.newOrganization({ name: "Contábil Sá", language: "pt-BR" });
  const { email } = await addPerson(stage.selo, leaving, "member");
  const { page, close } = await openApp(stage, DESKTOP);
  await page.goto("/app/account");
  await enter(page, email);
  await heading(page, "Sua conta");
  await addPerson(stage.selo, stage.organization, "member", email);
  await button(page, "Sair da organização").click();
  await button(page.getByRole("dialog"), "Sair da organização").click();
  await enter(page, email);
  await page.getByRole("complementary").getByText("Acme Tecnologia Ltda.").waitFor();
  await close();
});

test("further rows of a long list come when they are asked for", async () => {
  const { email } = await addPerson(stage.selo, stage.organization, "owner");
  const { page, close } = await openApp(stage);
  // A page of one row in place of 200.
  await page.route("**/graphql", (route) =>
    route.continue({ postData: (route.request().postData() ?? "").replace("first: 200", "first: 1") }),
  );
  await page.goto("/app/tokens");
  await enter(page, email);
  // The newest one is of the test environment.
  await button(page, "Mostrar mais").click();
  await page.getByRole("cell", { name: "test", exact: true }).waitFor();
  await page.getByText("Lista completa: 1").waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Lista completa: 1");
  await close();
});
