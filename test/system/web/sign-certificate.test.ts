// The steps of a certificate on the signing page, against the real server: old and new files, what is refused, and that nothing of file, password and key leaves the browser.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { byOpenssl, ecKey, type Made, rsaKey, withNumber } from "../../adapters/certificates/pkcs12-files.ts";
import { AUTHORITY, HOLDER, issue, withNames } from "../../adapters/signer-certificate/authority.ts";
import { authorities, signedWith } from "../../services/signature/certificate-stage.ts";
import { sentWith } from "../../services/signature/completion-stage.ts";
import { type EnvelopeStage, openStage, read as readEnvelope } from "../../services/signature/envelope-stage.ts";
import { startResponder } from "../../services/signature/responder-stage.ts";
import { axe } from "../../support/axe.ts";
import { readyDocument } from "../../support/uploads.ts";
import { DESKTOP, PHONE, screenshot } from "./browser.ts";
import {
  anOut,
  button,
  closeBrowsers,
  linkOf,
  type OutEnvelope,
  openBrowser,
  openSignStage,
  read,
  type Signer,
  type SignStage,
  type Spoken,
  WORDS,
} from "./sign-stage.ts";

const CONTRACT = fs.readFileSync(path.resolve(import.meta.dirname, "../../../src/web/files/sample/contract.pdf"));
const PASSWORD = "Maçã-do-João 🔑";
const CPF = "529.982.247-25";

const SAID = {
  "pt-BR": {
    open: "Abra o seu certificado",
    choose: "Arquivo do certificado",
    password: "Senha do arquivo",
    submit: "Abrir o certificado",
    wrong: "Senha errada para este arquivo.",
    heading: "Assine com este certificado",
    sign: "Assinar com o certificado",
    signed: "Você assinou com o seu certificado",
    until: "Válido até",
  },
  en: {
    open: "Open your certificate",
    choose: "File of the certificate",
    password: "Password of the file",
    submit: "Open the certificate",
    wrong: "Wrong password for this file.",
    heading: "Sign with this certificate",
    sign: "Sign with the certificate",
    signed: "You have signed with your certificate",
    until: "Valid until",
  },
} as const;
const said = SAID["pt-BR"];

const trusted = authorities();
const marina = trusted.holder({ name: "MARINA COSTA DE OLIVEIRA" });
const elliptic = trusted.holder({ name: "MARINA COSTA DE OLIVEIRA", key: ecKey() });
const another = trusted.holder({ name: "BRUNO LIMA", cpf: "11144477735" });
const p12 = (made: Made, options: readonly string[] = []) =>
  byOpenssl(made, PASSWORD, options, [trusted.intermediate.certificate]);

/** Another authority: its certificates name a responder. */
const responder = await startResponder();
fs.copyFileSync(path.join(responder.icp.folder, "root.pem"), path.join(trusted.folder, "another.pem"));

let stage: SignStage;
/** Where somebody must say whether a certificate is revoked. */
let live: EnvelopeStage;
beforeAll(async () => {
  const { folder } = trusted;
  stage = await openSignStage({
    ICP_BRASIL_TEST_ROOTS: folder,
    ICP_BRASIL_ROOTS: folder,
    WEBHOOK_ALLOW_LOOPBACK: "1",
  });
  // As `selo migrate` writes them.
  for (const environment of ["test", "live"])
    await stage.selo.operator.changeSetting(`icp_brasil_roots_${environment}`, folder);
  live = await openStage(stage.selo, "live");
  await stage.selo.operator.grantCredits(live.tenantId, "icp_brasil", 2);
});
afterAll(async () => {
  await stage.close();
  responder.stop();
});
afterEach(closeBrowsers);

const h1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

const aRequest = (signers: readonly object[] = [{}], envelope: object = {}): Promise<OutEnvelope> =>
  anOut(
    stage,
    signers.map((each) => ({ modality: "qualificada", cpf: CPF, ...each })),
    envelope,
    undefined,
    CONTRACT,
  );

/** A participant in the step of the certificate. */
const atCertificate = async (out: OutEnvelope, language: Spoken = "pt-BR", viewport = PHONE) =>
  followed(await linkOf(stage, out.signers[0] as Signer), language, viewport);

/** Who followed this link to that step. */
async function followed(link: string, language: Spoken, viewport: typeof PHONE) {
  const browser = await openBrowser(stage, { locale: language, viewport });
  const { page } = browser;
  await page.goto(link);
  await button(page, WORDS[language].goOn).click();
  await page.locator(".sheet canvas").first().waitFor();
  await read(page, language);
  await h1(page, SAID[language].open);
  return browser;
}

async function openFile(
  page: Page,
  buffer: Buffer,
  password = PASSWORD,
  language: Spoken = "pt-BR",
  name = "marina-costa.p12",
) {
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "application/x-pkcs12", buffer });
  await page.getByLabel(SAID[language].password, { exact: true }).fill(password);
  await button(page, SAID[language].submit).click();
}
const fault = (page: Page) => page.locator(".field-error").innerText();

/** Bodies of all requests: nothing of the file, its password and its key is in them, however it might be written. */
function expectNothingSent(requests: readonly Request[], file: Buffer, { key }: Made): void {
  const sent = requests.map((request) => `${request.url()}\n${request.postData() ?? ""}`).join("\n");
  const secret = key.replace(/-----[^-]+-----|\s/g, "");
  for (const part of [
    PASSWORD,
    encodeURIComponent(PASSWORD),
    secret.slice(100, 140),
    file.toString("base64").slice(200, 240),
  ])
    expect(sent).not.toContain(part);
  const names = requests.flatMap((request) =>
    request.method() === "POST" ? Object.keys(request.postDataJSON() ?? {}) : [],
  );
  expect(new Set(names)).toEqual(new Set(["chain", "consent_version", "values", "signatures"]));
}

describe.each([
  ["pt-BR", "phone", "an old file", PHONE, () => marina, ["-legacy"]],
  ["pt-BR", "desktop", "an old file, ECDSA", DESKTOP, () => elliptic, ["-legacy"]],
  ["en", "phone", "a new file", PHONE, () => marina, []],
  ["en", "desktop", "a new file, ECDSA", DESKTOP, () => elliptic, []],
] as const)("in %s on a %s, with %s", (language, device, _file, viewport, holder, options) => {
  test("from the link to the end, without a code", { timeout: 120_000 }, async () => {
    const words = SAID[language];
    const file = p12(holder(), options);
    const out = await aRequest([{}], { language });
    const { page, requests } = await atCertificate(out, language, viewport);
    const judge = async (name: string) => {
      await screenshot(page, `sign-certificate-${device}-${language}-${name}`);
      expect((await axe(page).analyze()).violations).toEqual([]);
    };
    await judge("choose");
    await openFile(page, file, "another", language);
    expect(await fault(page)).toContain(words.wrong);
    expect(await page.evaluate("document.activeElement.id")).toBe("own-password");
    await judge("wrong-password");
    await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
    await button(page, words.submit).click();
    await h1(page, words.heading);
    const card = await page.locator(".own-card").innerText();
    expect(card).toContain("MARINA COSTA DE OLIVEIRA");
    expect(card).toContain("CPF •••.982.247-••");
    expect(card).toContain("AC de teste");
    expect(card).toContain(words.until);
    // Opening signs nothing.
    expect((await readEnvelope(stage, out.id)).status).toBe("in_progress");
    await button(page, words.sign).click();
    await page.locator("#agreement-error").waitFor();
    await page.getByLabel(WORDS[language].agree).check();
    await judge("sign");
    await button(page, words.sign).click();
    await h1(page, words.signed);
    await judge("done");
    expect(await page.locator("main").innerText()).toContain("MARINA COSTA DE OLIVEIRA");
    await expect.poll(async () => (await readEnvelope(stage, out.id)).status).toBe("completed");
    expectNothingSent(requests, file, holder());
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, location.hash]")).toEqual([0, 0, ""]);
    await page.reload();
    await h1(page, WORDS[language].signed);
  });
});

test("each certificate that is refused is refused in words, and nothing is signed", { timeout: 120_000 }, async () => {
  const out = await aRequest();
  const { page } = await atCertificate(out);
  const name = `2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:0101198052998224725${"0".repeat(11)}0000000012345SSPSP`;
  const ofMarina = { subject: "/C=BR/O=ICP-Brasil/CN=MARINA:52998224725", issuer: trusted.intermediate };
  const made = (wishes: Partial<Parameters<typeof issue>[0]>) =>
    issue({ ...ofMarina, key: rsaKey(), extensions: withNames(name), ...wishes });
  const stranger = issue({ subject: "/CN=AC de ninguém", extensions: AUTHORITY });
  const files: readonly (readonly [string, Buffer, RegExp])[] = [
    ["chain", p12(made({ issuer: stranger })), /^Este certificado não é da ICP-Brasil\./],
    ["expired", p12(made({ days: -1 })), /^Este certificado venceu em \d+º? de \S+ de 2026\./],
    [
      "usage",
      p12(
        made({ extensions: [...HOLDER.slice(0, 1), "keyUsage=critical,keyEncipherment", ...withNames(name).slice(3)] }),
      ),
      /^Este certificado não foi emitido para assinar\./,
    ],
    ["key", p12(made({ key: rsaKey(1024) })), /^A chave deste certificado não serve/],
    [
      "cpf",
      p12(another),
      /^Este certificado é de outro CPF: •••\.444\.777-••\. O pedido espera o de Marina Costa de Oliveira\./,
    ],
    ["no key", p12(marina, ["-nokeys"]), /^marina-costa\.p12 não traz a chave/],
    ["damaged", p12(marina).subarray(0, 800), /^marina-costa\.p12 está danificado/],
    ["time", withNumber(p12(marina), 100, 10_000_000), /^Este arquivo leva tempo demais para abrir/],
  ];
  for (const [reason, file, words] of files) {
    await openFile(page, file);
    await expect.poll(() => fault(page).catch(() => ""), { message: reason }).toMatch(words);
    expect(await page.evaluate("document.activeElement.id")).toBe("own-file");
  }
  await screenshot(page, "sign-certificate-refused");
  expect((await axe(page).analyze()).violations).toEqual([]);
  expect((await readEnvelope(stage, out.id)).status).toBe("in_progress");
  // And the right one is taken.
  await openFile(page, p12(marina));
  await h1(page, said.heading);
});

describe.each([
  ["pt-BR", PHONE],
  ["en", DESKTOP],
] as const)("what an issuer says, in %s", (language, viewport) => {
  /** What the page says below the file, once it is refused. */
  async function refusal(page: Page, file: Buffer, picture: string): Promise<string> {
    await openFile(page, file, PASSWORD, language);
    await page.locator("#own-file-error").waitFor();
    await screenshot(page, `sign-certificate-${picture}-${language}`);
    expect((await axe(page).analyze()).violations).toEqual([]);
    expect(await page.evaluate("document.activeElement.id")).toBe("own-file");
    return fault(page);
  }

  test("a certificate that its issuer revoked is refused, and the page says the day", async () => {
    const holder = responder.icp.holder({ name: "MARINA COSTA DE OLIVEIRA" });
    responder.revokes(holder);
    const { page } = await atCertificate(await aRequest([{}], { language }), language, viewport);
    const file = byOpenssl(holder, PASSWORD, [], [responder.icp.intermediate.certificate]);
    expect(await refusal(page, file, "revoked")).toBe(
      {
        "pt-BR":
          "Este certificado foi revogado em 1º de novembro de 2026. Ele não pode mais assinar. Peça outro a quem o emitiu.",
        en: "This certificate was revoked on 1 November 2026. It cannot sign any more. Ask its issuer for another one.",
      }[language],
    );
  });

  test("in live, where the issuer of a certificate says nothing, the page asks to try again later", async () => {
    const upload = async () => (await readyDocument(stage.selo, live.token)).id;
    const member = { body: { modality: "qualificada" } };
    const { id, links } = await sentWith(live, [member], { language }, { upload });
    const [{ participantId, secret }] = links;
    const { page } = await followed(`/sign/${participantId}#${secret}`, language, viewport);
    expect(await refusal(page, p12(marina), "unknown")).toBe(
      {
        "pt-BR":
          "Quem emitiu o certificado não respondeu se ele ainda vale. A falha não é sua nem do certificado. Tente de novo em alguns minutos.",
        en: "The issuer of the certificate did not say whether it is still good. This is neither your fault nor that of the certificate. Try again in some minutes.",
      }[language],
    );
    expect((await readEnvelope(live, id)).status).toBe("in_progress");
  });
});

test("where another one signs first, the page prepares and signs anew", { timeout: 120_000 }, async () => {
  const out = await aRequest([{}, { name: "Bruno Lima", cpf: "111.444.777-35" }]);
  const { page, requests } = await atCertificate(out);
  await openFile(page, p12(marina));
  await h1(page, said.heading);
  const second = out.signers[1] as Signer;
  const { hash } = new URL(await linkOf(stage, second), stage.selo.baseUrl);
  const link = { envelopeId: out.id, participantId: second.id, secret: hash.slice(1) };
  const { status } = await signedWith(stage, link, another);
  expect(status).toBe(200);
  await page.getByLabel(WORDS["pt-BR"].agree).check();
  await button(page, said.sign).click();
  await h1(page, said.signed);
  const asked = requests.map((request) => /\/(certificate|complete)$/.exec(request.url())?.[1]).filter(Boolean);
  expect(asked).toEqual(["certificate", "complete", "certificate", "complete"]);
  await expect.poll(async () => (await readEnvelope(stage, out.id)).status).toBe("completed");
});

test("a thread that does not answer is left after 30 seconds, and one may cancel before", async () => {
  const { page } = await atCertificate(await aRequest());
  await page.clock.install();
  await page.route(/\/assets\/certificate-worker-[^/]+\.js$/, () => {});
  await openFile(page, p12(marina));
  await h1(page, "Abrindo o seu certificado");
  await screenshot(page, "sign-certificate-opening");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await button(page, "Cancelar").click();
  await h1(page, said.open);
  expect(await page.locator(".field-error").count()).toBe(0);
  await page.getByLabel(said.password, { exact: true }).fill(PASSWORD);
  await button(page, said.submit).click();
  await h1(page, "Abrindo o seu certificado");
  await page.clock.fastForward(30_000);
  await h1(page, said.open);
  expect(await fault(page)).toMatch(/^Este arquivo leva tempo demais para abrir/);
});

test("without https it says why not, and asks for no password", async () => {
  const out = await aRequest();
  const { page, context } = await openBrowser(stage);
  await context.addInitScript("delete Crypto.prototype.subtle");
  await page.goto(await linkOf(stage, out.signers[0] as Signer));
  await button(page, WORDS["pt-BR"].goOn).click();
  await page.locator(".sheet canvas").first().waitFor();
  await read(page);
  await h1(page, "Aqui não é seguro digitar a senha de um certificado.");
  expect(await page.locator("input").count()).toBe(0);
});

test("a reload asks for the file again, and an hour later the link opens another session", async () => {
  const out = await aRequest();
  const { page } = await atCertificate(out);
  await openFile(page, p12(marina));
  await h1(page, said.heading);
  await page.reload();
  await h1(page, said.open);
  await openFile(page, p12(marina));
  await h1(page, said.heading);
  await page.goBack();
  await h1(page, said.open);
  await stage.selo.database.admin.query(
    "update signature.signing_sessions set expires_at = now() where envelope_id = $1",
    [out.id],
  );
  await openFile(page, p12(marina));
  await page.getByText("Passou uma hora.").waitFor();
  await button(page, WORDS["pt-BR"].goOn).click();
  await h1(page, said.open);
  await openFile(page, p12(marina));
  await h1(page, said.heading);
});

test("declining needs no code either", async () => {
  const out = await aRequest();
  const { page } = await openBrowser(stage);
  await page.goto(await linkOf(stage, out.signers[0] as Signer));
  await button(page, WORDS["pt-BR"].decline).click();
  await page.getByRole("dialog").getByRole("textbox").fill("O valor não é o que combinamos.");
  await page.getByRole("dialog").getByRole("button", { name: "Recusar" }).click();
  await h1(page, "Você recusou");
  expect((await readEnvelope(stage, out.id)).status).toBe("declined");
});

test("scripts of the step: at most 120 kB (gzip), and none of them before it is near", async () => {
  const out = await aRequest();
  const { page, requests } = await openBrowser(stage);
  const scripts = () =>
    [...new Set(requests.map((request) => new URL(request.url()).pathname))].filter((name) => name.endsWith(".js"));
  await page.goto(await linkOf(stage, out.signers[0] as Signer));
  await button(page, WORDS["pt-BR"].goOn).waitFor();
  const first = scripts();
  expect(first.filter((name) => /steps|worker/.test(name))).toEqual([]);
  await button(page, WORDS["pt-BR"].goOn).click();
  await page.locator(".sheet canvas").first().waitFor();
  await read(page);
  await h1(page, said.open);
  await openFile(page, p12(marina));
  await h1(page, said.heading);
  const ofStep = scripts().filter((name) => !first.includes(name) && !/pdf/.test(name));
  const bytes = ofStep.map((name) => gzipSync(fs.readFileSync(path.join(webAppFolder(), name)), { level: 9 }).length);
  expect(ofStep.some((name) => name.includes("worker"))).toBe(true);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
});
