// Envelopes that are sent in the test environment, and the browser of their participants: real gateway, real worker, mail in the test inbox.
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect } from "vitest";
import type { RunningWorker } from "../../../workers/main.ts";
import { anEnvelope, aParticipant, ask, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { startTestGateway } from "../../support/gateway.ts";
import { storedDocument, type UploadedDocument, upload } from "../../support/uploads.ts";
import { startTestWorker } from "../../support/worker.ts";
import { launchBrowser } from "./browser.ts";

export interface SignStage extends EnvelopeStage {
  readonly browser: Browser;
  readonly worker: RunningWorker;
  close(): Promise<void>;
}

export interface Signer {
  readonly id: string;
  readonly email: string;
}

export interface OutEnvelope {
  readonly id: string;
  readonly documentId: string;
  readonly signers: readonly Signer[];
}

export async function openSignStage(environment: Readonly<Record<string, string>> = {}): Promise<SignStage> {
  const [selo, browser] = await Promise.all([startTestGateway(environment), launchBrowser()]);
  const organization = await selo.newOrganization({
    name: "Imobiliária Vale do Itajaí",
    timeZone: "America/Sao_Paulo",
  });
  const worker = await startTestWorker(selo);
  return {
    selo,
    browser,
    worker,
    tenantId: organization.id,
    token: organization.test,
    environment: "test",
    close: async () => {
      await browser.close();
      await worker.stop();
      await selo.stop();
    },
  };
}

let people = 0;

/** An envelope that was sent to these participants. */
export async function anOut(
  stage: SignStage,
  participants: readonly object[] = [{}],
  envelope: object = {},
  more: (envelopeId: string, participantIds: readonly string[], documentId: string) => Promise<void> = async () => {},
  file?: Uint8Array,
): Promise<OutEnvelope> {
  const { id } = await anEnvelope(stage, { title: "Contrato de locação", language: "pt-BR", ...envelope });
  const document = await readyDocument(stage, file);
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
  const signers: Signer[] = [];
  for (const each of participants) {
    people += 1;
    const participant = { name: "Marina Costa de Oliveira", email: `marina${people}@example.com`, ...each };
    signers.push({ id: (await aParticipant(stage, id, participant)).id, email: participant.email });
  }
  await more(
    id,
    signers.map((signer) => signer.id),
    document.id,
  );
  const { status, text } = await ask(stage, "POST", `/envelopes/${id}/send`);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return { id, documentId: document.id, signers };
}

/** A document that may be sent: an ordinary one as its upload leaves it, or a file that is checked, here or by the worker of the stage. */
async function readyDocument(stage: SignStage, file?: Uint8Array): Promise<UploadedDocument> {
  const name = "contrato-locacao.pdf";
  if (file === undefined) return storedDocument(stage.selo, stage.token, { name });
  let document: UploadedDocument = (await upload(stage.selo, stage.token, file, { name })).body;
  const status = async () => {
    document = (await ask(stage, "GET", `/documents/${document.id}`)).body;
    return document.status;
  };
  await expect.poll(status, { interval: 30 }).toBe("ready");
  return document;
}

interface InboxMail {
  readonly id: string;
  readonly kind: string;
  readonly link: string | null;
  readonly code: string | null;
  readonly created_at: string;
}

/** The newest mail of a kind to a participant, once the worker has composed it. */
export async function newestMail(
  stage: SignStage,
  { email }: Signer,
  kind: string,
  since: string | null = null,
): Promise<InboxMail> {
  let found: InboxMail | undefined;
  await expect
    .poll(
      async () => {
        const { body } = await ask(stage, "GET", `/test-inbox?recipient=${encodeURIComponent(email)}&kind=${kind}`);
        found = (body.items as InboxMail[]).find((mail) => mail.id !== since && (mail.link ?? mail.code) !== null);
        return found !== undefined;
      },
      { interval: 30 },
    )
    .toBe(true);
  return found as InboxMail;
}

/** The path of a participant's link, with its secret. */
export async function linkOf(stage: SignStage, signer: Signer, kind = "envelope_invitation"): Promise<string> {
  const { link } = await newestMail(stage, signer, kind);
  const { pathname, hash } = new URL(link ?? "");
  return pathname + hash;
}

/** The code of the newest mail. */
export async function codeOf(stage: SignStage, signer: Signer, since: string | null = null): Promise<string> {
  const { code } = await newestMail(stage, signer, "signing_code", since);
  return code ?? "";
}

/** The code of the newest SMS to the participants of an envelope, once the worker has composed it. */
export async function smsCodeOf(stage: SignStage, { id }: OutEnvelope): Promise<string> {
  let code: string | null = null;
  await expect
    .poll(
      async () => {
        const { body } = await ask(stage, "GET", `/test-inbox?envelope_id=${id}&kind=signing_code`);
        code = (body.items as readonly InboxMail[])[0]?.code ?? null;
        return code;
      },
      { interval: 30 },
    )
    .not.toBeNull();
  return code ?? "";
}

/** A browser of a participant, of which every request and every complaint is known. */
export interface SignerBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly requests: Request[];
  close(): Promise<void>;
}

const opened: SignerBrowser[] = [];

export async function openBrowser(stage: SignStage, options: BrowserContextOptions = {}): Promise<SignerBrowser> {
  const origin = new URL(stage.selo.baseUrl).origin;
  const context = await stage.browser.newContext({
    baseURL: origin,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(30_000);
  const requests: Request[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => requests.push(request));
  context.on("console", (message) => {
    // A refused request is logged by the browser itself.
    if (
      ["error", "warning"].includes(message.type()) &&
      !/status of \d{3}|ERR_INTERNET_DISCONNECTED/.test(message.text())
    )
      complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  const page = await context.newPage();
  const browser = {
    context,
    page,
    requests,
    close: async () => {
      const cookies = await context.cookies();
      await context.close();
      expect(complaints).toEqual([]);
      expect(cookies).toEqual([]);
      for (const request of requests) {
        if (request.url().startsWith("blob:")) continue;
        expect(new URL(request.url()).origin).toBe(origin);
        // Neither the link nor where the page stands goes anywhere in an address.
        expect(request.headers()["referer"] ?? "").toBe("");
      }
    },
  };
  opened.push(browser);
  return browser;
}

/** After each test. */
export async function closeBrowsers(): Promise<void> {
  for (const each of opened.splice(0)) await each.close();
}

/** Words by which tests find what they touch. */
export const WORDS = {
  "pt-BR": {
    getCode: "Receber o código",
    codeLabel: "Código de 6 números",
    goOn: "Continuar",
    read: "Já li",
    agree: "Li este texto e concordo.",
    type: "Digitar",
    sign: "Assinar",
    signed: "Você assinou o documento",
    decline: "Recusar",
    notMe: "Não sou eu",
    handOn: "Passar a outra pessoa",
    nextField: "Próximo campo",
    toSignature: "Seguir para a assinatura",
    toNext: "Ir ao próximo campo",
  },
  en: {
    getCode: "Get the code",
    codeLabel: "Code of 6 digits",
    goOn: "Continue",
    read: "I have read it",
    agree: "I have read this text and agree.",
    type: "Type",
    sign: "Sign",
    signed: "You have signed the document",
    decline: "Decline",
    notMe: "This is not me",
    handOn: "Hand it to somebody else",
    nextField: "Next field",
    toSignature: "Continue to the signature",
    toNext: "Go to the next field",
  },
} as const;
export type Spoken = keyof typeof WORDS;

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Asks for a code, and types the one that was mailed. */
export async function signIn(stage: SignStage, page: Page, signer: Signer, language: Spoken = "pt-BR"): Promise<void> {
  const words = WORDS[language];
  await button(page, words.getCode).click();
  await page.getByLabel(words.codeLabel).fill(await codeOf(stage, signer));
  await button(page, words.goOn).click();
}

/** Goes to the end of the documents, and says so. */
export async function read(page: Page, language: Spoken = "pt-BR"): Promise<void> {
  await page.locator(".reader-end").scrollIntoViewIfNeeded();
  await expect.poll(() => button(page, WORDS[language].read).getAttribute("aria-disabled")).not.toBe("true");
  await button(page, WORDS[language].read).click();
}

/** Agrees, types the name and signs. */
export async function sign(page: Page, language: Spoken = "pt-BR"): Promise<void> {
  const words = WORDS[language];
  await page.getByLabel(words.agree).check();
  await page.locator(".segments label", { hasText: words.type }).click();
  await button(page, words.sign).click();
}
