// The dashboard in a browser: how people get in, what a tab does when its session is over, and what the pages load.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type TOTP, URI } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import {
  addPerson,
  ageSessions,
  auth,
  PASSWORD,
  sessionHeaders,
  trySignIn,
} from "../../services/accounts/accounts-stage.ts";
import { sentWith } from "../../services/signature/completion-stage.ts";
import { filesOf } from "../../services/signature/dossier-stage.ts";
import { ask } from "../../services/signature/envelope-stage.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type AppStage, button, enter, heading, openApp, openAppStage, welcomeLink } from "./app-stage.ts";

let stage: AppStage;
beforeAll(async () => {
  stage = await openAppStage();
});
afterAll(() => stage.close());

const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.type + ':' + document.activeElement.value");

test("a link of `selo user create` sets the password once, and the person signs in on a phone", async () => {
  const email = "ana@acme.example";
  const link = await welcomeLink(stage, { email, role: "owner", name: "Ana Lima" });
  const { page, context, close } = await openApp(stage);
  await page.goto(link);
  await heading(page, "Escolha a sua senha");
  // The secret stands neither in the address nor in the history, and a reload does not lose it.
  expect(page.url()).toBe(`${stage.selo.baseUrl}/app/welcome`);
  await page.reload();
  const field = page.getByLabel("Senha nova");
  await field.fill("curta");
  await button(page, "Salvar a senha").click();
  await page.getByText("A senha precisa de 12 a 128").waitFor();
  await field.fill("aaaaaaaaaaaaaaaa");
  await button(page, "Salvar a senha").click();
  await page.getByText("Fácil de adivinhar").waitFor();
  expect(await focused(page)).toBe("password:aaaaaaaaaaaaaaaa");
  await field.fill(PASSWORD);
  await button(page, "Mostrar a senha").click();
  expect(await field.getAttribute("type")).toBe("text");
  await page.keyboard.press("Enter");
  await field.press("Enter");
  await heading(page, "Senha salva");
  await page.goto(link);
  await field.fill("another-fine-passphrase");
  await button(page, "Salvar a senha").click();
  await heading(page, "Este link não vale mais");
  // Nobody learns which of the two was wrong; the address stays, and the emptied field has the focus.
  await page.goto("/app");
  for (const wrong of ["nobody@acme.example", email]) {
    await enter(page, wrong, "wrong-horse-battery");
    await page.getByText("E-mail ou senha errados. Veja se o Caps Lock está ligado.").waitFor();
    await expect.poll(() => focused(page)).toBe("password:");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(wrong);
  }
  await enter(page, email);
  await heading(page, "Visão geral");
  const cookies = await context.cookies();
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort()).toEqual([
    ["inv_csrf", false, "Lax"],
    ["inv_session", true, "Lax"],
  ]);
  // The environment is that of the tab, over a reload.
  await button(page, "Teste").click();
  await page.getByText("AMBIENTE DE TESTE", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("AMBIENTE DE TESTE", { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("TESTE · Visão geral · Selo");
  // The menu of a phone holds the focus, and gives it back.
  await button(page, "Abrir o menu").click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /Sua conta/ })
    .click();
  await heading(page, "Sua conta");
  await button(page, "Abrir o menu").click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Abrir o menu");
  await button(page, "Abrir o menu").click();
  await button(page, "Sair").click();
  await heading(page, "Entrar");
  expect(await context.cookies()).toEqual([]);
  await close();
});

test("too many attempts: the page says how long to wait", async () => {
  const { page, close } = await openApp(stage);
  const { email } = await addPerson(stage.selo, stage.organization, "member");
  await page.goto("/app");
  for (let attempt = 0; attempt < 5; attempt++) {
    await enter(page, email, `wrong-horse-${attempt}`);
    await expect.poll(() => focused(page)).toBe("password:");
  }
  await enter(page, email);
  await heading(page, "Espere para tentar de novo");
  expect(await page.getByRole("timer").innerText()).toMatch(/^1[45] min \d+ s$/);
  expect(await button(page, /^Tentar de novo às \d\d:\d\d$/).getAttribute("aria-disabled")).toBe("true");
  await button(page, "Entrar com outro e-mail").click();
  expect(await page.getByLabel("E-mail").inputValue()).toBe("");
  await close();
});

test("another tab goes to another organization: this tab is refused, and loads again", async () => {
  const { page, context, close } = await openApp(stage, { viewport: { width: 1280, height: 900 } });
  const { email } = await addPerson(stage.selo, stage.organization, "owner");
  const other = await stage.selo.newOrganization({ name: "Contábil Sá" });
  await addPerson(stage.selo, other, "accountant", email);
  await page.goto("/app/account");
  await enter(page, email);
  await heading(page, "Sua conta");
  const second = await context.newPage();
  await second.goto("/app");
  const organization = second.getByRole("complementary").getByRole("button", { name: /Trocar de organização/ });
  const shown = (await organization.innerText()).includes("Acme") ? "Acme Tecnologia Ltda." : "Contábil Sá";
  const wanted = shown === "Contábil Sá" ? "Acme Tecnologia Ltda." : "Contábil Sá";
  // By keyboard alone.
  await organization.press("Enter");
  await second.getByRole("menuitemradio", { name: new RegExp(wanted) }).press("Enter");
  await organization.filter({ hasText: wanted }).waitFor();
  // The first tab still shows the other organization. Its next write is refused, whatever it is.
  await page.getByRole("button", { name: `Abrir ${wanted}` }).click();
  await page.getByRole("complementary").getByText(wanted).waitFor();
  await close();
});

test("an owner changes a role and removes a member, whose next click says so; nobody is left without an owner", async () => {
  const { page, close } = await openApp(stage);
  const organization = await stage.selo.newOrganization({ name: "Contábil Sá", language: "pt-BR" });
  const owner = await addPerson(stage.selo, organization, "owner");
  const member = await addPerson(stage.selo, organization, "accountant", "bruno@acme.example");
  const removed = await openApp(stage);
  await removed.page.goto("/app/members");
  await enter(removed.page, member.email);
  // Who may not change it sees the list, and no buttons.
  await removed.page.getByText(owner.email).waitFor();
  expect(await removed.page.locator("main").getByRole("button").count()).toBe(0);
  await page.goto("/app/members");
  await enter(page, owner.email);
  // An invitation waits, until it is withdrawn.
  await button(page, "Convidar").click();
  await page.getByRole("dialog").getByLabel("E-mail").fill("bruno@acme.example");
  await button(page, "Enviar convite").click();
  await page.getByText("Este e-mail já é de um membro").waitFor();
  await page.getByRole("dialog").getByLabel("E-mail").fill("elis@acme.example");
  await button(page, "Enviar convite").click();
  await button(page, "Enviar de novo elis@acme.example").click();
  await page.getByText("O último envio foi há menos de um minuto.").waitFor();
  await button(page, "Retirar elis@acme.example").click();
  await page.getByText("Nenhum convite à espera").waitFor();
  await button(page, "Mudar papel bruno").click();
  await page.getByRole("radio", { name: /^Opera/ }).check();
  await button(page, "Mudar para: Opera").click();
  await page.getByRole("cell", { name: "Opera" }).waitFor();
  await button(page, new RegExp(`^Mudar papel ${owner.email.split("@")[0]}`)).click();
  await page.getByRole("radio", { name: /^Administra/ }).check();
  await button(page, "Mudar para: Administra").click();
  await page.getByText("ficaria sem ninguém que responda por ela").waitFor();
  await button(page, "Desistir").click();
  await button(page, "Remover bruno").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remover" }).click();
  await page.getByRole("heading", { name: "Remover bruno?" }).waitFor({ state: "detached" });
  await page.getByText("Só você, por enquanto.").waitFor();
  await button(removed.page, "Abrir o menu").click();
  await removed.page.getByRole("dialog").getByRole("link", { name: "Visão geral", exact: true }).click();
  await removed.page
    .getByRole("dialog", { name: "Entre de novo" })
    .getByText("o seu acesso a Contábil Sá terminou")
    .waitFor();
  await removed.close();
  await close();
});

test("an owner makes a test token, which is shown once, and a program uses it until it is revoked", async () => {
  const { page, close } = await openApp(stage);
  const { email } = await addPerson(stage.selo, stage.organization, "owner");
  await page.goto("/app/tokens");
  await enter(page, email);
  await button(page, "Teste").click();
  await heading(page, "Tokens de teste");
  await button(page, "Criar token").click();
  await button(page, "Criar token de teste").click();
  await page.getByText("Dê um nome de 1 a 100 letras.").waitFor();
  await page.getByLabel("Nome").fill("Servidor de homologação");
  await page.getByRole("checkbox", { name: /proofs:read/ }).check();
  await button(page, "Criar token de teste").click();
  const dialog = page.getByRole("dialog", { name: "Token de TESTE criado" });
  const token = await dialog.locator("code").first().innerText();
  expect(token).toMatch(/^svc_test_/);
  const me = () => fetch(`${stage.selo.baseUrl}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await (await me()).json()).toMatchObject({ environment: "test", scopes: ["proofs:read"] });
  // Closing it needs the tick, and afterwards the secret stands nowhere.
  expect(await dialog.getByRole("button", { name: "Fechar" }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Fechar" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "Servidor de homologação", exact: true }).waitFor();
  expect(await page.content()).not.toContain(token);
  await button(page, "Revogar Servidor de homologação").click();
  await page.getByRole("dialog").getByRole("button", { name: "Revogar" }).click();
  // While the dialog is open, nothing below it has a role.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "Servidor de homologação", exact: true }).waitFor({ state: "detached" });
  expect((await me()).status).toBe(401);
  await close();
});

test("a person changes name, language and password, and ends the other sessions", async () => {
  const { page, close } = await openApp(stage, { viewport: { width: 1280, height: 900 } });
  const { id, email } = await addPerson(stage.selo, stage.organization, "member");
  const elsewhere = await trySignIn(stage.selo, email);
  await page.goto("/app/account");
  await enter(page, email);
  await page.getByLabel("Nome").fill("Davi Nunes");
  await button(page, "Salvar").click();
  await page.getByRole("complementary").getByText("Davi Nunes").waitFor();
  await button(page, "Encerrar as outras sessões: 1").click();
  await button(page, /^Encerrar as outras/).waitFor({ state: "detached" });
  const read = await auth(stage.selo, "GET", "/session", { headers: sessionHeaders(elsewhere) });
  expect(read.status).toBe(401);
  await button(page, "Trocar a senha").click();
  const dialog = page.getByRole("dialog", { name: "Trocar a senha" });
  await dialog.getByLabel("Senha atual").fill("wrong-horse-battery");
  await dialog.getByLabel("Senha nova").fill("trilho manga varanda azul");
  await dialog.getByRole("button", { name: "Trocar a senha" }).click();
  await dialog.getByText("Senha errada.").waitFor();
  // What was typed stays.
  expect(await dialog.getByLabel("Senha nova").inputValue()).toBe("trilho manga varanda azul");
  await dialog.getByLabel("Senha atual").fill(PASSWORD);
  await ageSessions(stage.selo, id, "12 hours");
  await dialog.getByRole("button", { name: "Trocar a senha" }).click();
  const over = page.getByRole("dialog", { name: "Sua sessão venceu" });
  await over.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await over.getByRole("button", { name: "Entrar e continuar" }).click();
  await over.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Trocar a senha" }).click();
  await page.getByText("Senha trocada.").waitFor();
  expect((await trySignIn(stage.selo, email, "trilho manga varanda azul")).status).toBe(200);
  await page.getByLabel("Idioma").selectOption("en");
  await button(page, "Salvar").click();
  await heading(page, "Your account");
  expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  await close();
});

test("an owner changes the organization; a session that ran out meanwhile empties no form, and others see facts", async () => {
  const { page, close } = await openApp(stage, { viewport: { width: 1280, height: 900 } });
  const organization = await stage.selo.newOrganization({ name: "Contábil Sá", language: "pt-BR" });
  const { id, email } = await addPerson(stage.selo, organization, "owner");
  await page.goto("/app/organization");
  await enter(page, email);
  await page.getByLabel("Nome").fill("Contábil Sá e Filhos");
  await page.getByLabel("E-mail de contato").fill("contato@acme");
  await button(page, "Salvar mudanças").click();
  await page.getByText("Falta uma parte do endereço").waitFor();
  await page.getByLabel("E-mail de contato").fill("contato@acme.example");
  await page.getByText("Exigir segundo fator").waitFor();
  await ageSessions(stage.selo, id, "12 hours");
  await button(page, "Salvar mudanças").click();
  const dialog = page.getByRole("dialog", { name: "Sua sessão venceu" });
  await dialog.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Entrar e continuar" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByLabel("Nome").inputValue()).toBe("Contábil Sá e Filhos");
  await button(page, "Salvar mudanças").click();
  await page.getByRole("complementary").getByText("Contábil Sá e Filhos").waitFor();
  await close();
  const reader = await openApp(stage);
  const accountant = await addPerson(stage.selo, organization, "accountant");
  await reader.page.goto("/app/organization");
  await enter(reader.page, accountant.email);
  await reader.page.getByText("contato@acme.example").waitFor();
  expect(await reader.page.getByRole("main").getByRole("textbox").count()).toBe(0);
  await reader.close();
});

test("an owner sets up a second factor on a phone, and then signs in with a recovery code", async () => {
  const { page, close } = await openApp(stage);
  const { email } = await addPerson(stage.selo, stage.organization, "owner");
  await page.goto("/app/account");
  await enter(page, email);
  await button(page, "Ligar o segundo fator").click();
  const dialog = page.getByRole("dialog");
  const link = dialog.getByRole("link", { name: "Abrir no aplicativo deste celular" });
  const totp = URI.parse((await link.getAttribute("href")) ?? "");
  await dialog.getByRole("img", { name: "Código QR para o aplicativo autenticador" }).waitFor();
  await dialog.getByLabel("Código que o aplicativo mostra").fill("12345");
  await dialog.getByRole("button", { name: "Continuar" }).click();
  await dialog.getByText("São 6 números").waitFor();
  await dialog.getByText("Digite a senha.").waitFor();
  const password = dialog.getByLabel("Senha", { exact: true });
  await password.fill("not the password");
  await dialog.getByLabel("Código que o aplicativo mostra").fill((totp as TOTP).generate());
  await dialog.getByRole("button", { name: "Continuar" }).click();
  await dialog.getByText("Senha errada.").waitFor();
  await expect.poll(() => focused(page)).toBe("password:not the password");
  await password.fill(PASSWORD);
  await dialog.getByLabel("Código que o aplicativo mostra").fill((totp as TOTP).generate());
  await dialog.getByRole("button", { name: "Continuar" }).click();
  await page.getByRole("heading", { name: "Anote os códigos de recuperação" }).waitFor();
  const codes = await page.getByRole("dialog").locator(".codes li").allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole("dialog").getByRole("checkbox").check();
  await page.getByRole("dialog").getByRole("button", { name: "Concluir" }).click();
  await page.getByText("Códigos de recuperação que restam: 10").waitFor();
  await button(page, "Abrir o menu").click();
  await button(page, "Sair").click();
  await enter(page, email);
  await heading(page, "Digite o código");
  await button(page, "Usar um código de recuperação").click();
  await page.getByLabel("Código de recuperação").fill("AAAA-AAAA-AAAA");
  await button(page, "Entrar").click();
  await page.getByText("Código errado ou já usado.").waitFor();
  await page.getByLabel("Código de recuperação").fill(codes[0] ?? "");
  await button(page, "Entrar").click();
  await heading(page, "Visão geral");
  await close();
});

test("a session that ran out asks to sign in, and what stands on the page stays", async () => {
  const { page, close } = await openApp(stage, { viewport: { width: 1280, height: 900 } });
  const { id, email } = await addPerson(stage.selo, stage.organization, "owner");
  const other = await stage.selo.newOrganization({ name: "Contábil Sá" });
  await addPerson(stage.selo, other, "accountant", email);
  await page.goto("/app/account");
  await enter(page, email);
  await heading(page, "Sua conta");
  // What the page asks for by itself has come: a refusal of that would open the dialog before the click.
  await page.getByText("esta sessão").waitFor();
  await page.getByText("Aplicativo autenticador: desligado").waitFor();
  await ageSessions(stage.selo, id, "12 hours");
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Abrir / })
    .click();
  const dialog = page.getByRole("dialog", { name: "Sua sessão venceu" });
  await dialog.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  expect(await dialog.getByLabel("E-mail").inputValue()).toBe(email);
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Entrar e continuar" }).click();
  await dialog.waitFor({ state: "detached" });
  await heading(page, "Sua conta");
  await close();
});

test("scripts: at most 240 kB (gzip) before the first page stands, and 40 kB for each further area", async () => {
  const { page, close } = await openApp(stage);
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) loaded.add(pathname);
  });
  const { email } = await addPerson(stage.selo, stage.organization, "owner");
  await page.goto("/app");
  await enter(page, email);
  await heading(page, "Visão geral");
  await page.waitForLoadState("networkidle");
  const bytes = (names: Iterable<string>) =>
    [...names].reduce(
      (sum, name) => sum + gzipSync(fs.readFileSync(path.join(webAppFolder(), name)), { level: 9 }).length,
      0,
    );
  expect(bytes(loaded)).toBeLessThanOrEqual(240_000);
  await button(page, "Abrir o menu").click();
  const areas = await page
    .getByRole("dialog")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => String((link as unknown as { href: string }).href)));
  const before = new Set(loaded);
  for (const area of new Set(areas)) {
    loaded.clear();
    await page.goto(area);
    await heading(page, /./);
    await page.waitForLoadState("networkidle");
    expect([area, bytes([...loaded].filter((name) => !before.has(name))) <= 40_000]).toEqual([area, true]);
  }
  await close();
});

test("a session downloads the dossier of an envelope in its environment, and a browser without one gets none", async () => {
  const organization = await stage.selo.newOrganization({ name: "Imobiliária Aurora", language: "pt-BR" });
  const { id: tenantId, test: token } = organization;
  const envelopes = { selo: stage.selo, tenantId, token, environment: "test" } as const;
  const upload = async () => (await readyDocument(stage.selo, token)).id;
  const { id, documentId } = await sentWith(envelopes, [{}], {}, { upload });
  expect((await ask(envelopes, "POST", `/envelopes/${id}/cancel`, {})).status).toBe(200);
  const { page, close } = await openApp(stage);
  const { email } = await addPerson(stage.selo, organization, "member");
  await page.goto("/app");
  // As a script of the page would: cookies go with it by themselves.
  const download = (environment: string) =>
    page.evaluate(
      async ([address, header]) => {
        const answer = await fetch(address, { headers: { "x-environment": header } });
        const bytes = Array.from(new Uint8Array(await answer.arrayBuffer()));
        return { status: answer.status, type: answer.headers.get("content-type"), bytes };
      },
      [`/api/v1/envelopes/${id}/dossier`, environment] as const,
    );
  expect((await download("test")).status).toBe(401);
  await enter(page, email);
  await heading(page, "Visão geral");
  expect((await download("live")).status).toBe(404);
  const { status, type, bytes } = await download("test");
  expect([status, type]).toEqual([200, "application/zip"]);
  const files = filesOf(Buffer.from(bytes));
  expect(Object.keys(files)).toContain(`originals/1-${documentId}.pdf`);
  expect(JSON.parse(String(files["evidence.json"])).envelope.envelope_id).toBe(id);
  await close();
});
