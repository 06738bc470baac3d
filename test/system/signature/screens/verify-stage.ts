import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { sampleFile } from "../../../../src/main/sample-file.ts";
import { inboxOf } from "../../../../src/surfaces/dev-inbox/inbox.ts";
import { nameAsBefore, startTestGateway, type TestGateway } from "../../../support/gateway.ts";
import { type MadeEnvelope, madeEnvelope, opened } from "../../../verifier/made-envelopes.ts";
import { live } from "../../../verifier/made-proofs.ts";
import { launchBrowser } from "../../web/browser.ts";
import { reportFile } from "../../web/made-pages.ts";
import {
  evidenceJson,
  forgedReceipt,
  type OwnProof,
  type PageFile,
  type PublicKey,
  pageFile,
  platformKeys,
  receipt,
  register,
  signedByForger,
} from "../../web/proofs.ts";

const OPERATOR = {
  OPERATOR_NAME: "Selo Serviços Digitais Ltda",
  OPERATOR_DETAILS: "CNPJ 12.345.678/0001-90, São Paulo",
  CONTACT_URL: "mailto:contato@selo.example",
  PRIVACY_URL: "https://selo.example/privacidade",
  TERMS_URL: "https://selo.example/termos",
};
/** As long as names may be, without a place to break, with markup and with characters that turn text. */
const HOSTILE_NAME = `<script>alert(1)</script>\u202e${"Organização-sem-espaço".repeat(6)}`.slice(0, 140);
const HOSTILE_FILE = `<b>x<b>\u202egpj.${"nome-de-arquivo-sem-espaço".repeat(7)}`.slice(0, 190);

/** A gateway with everything that the pictures need: proofs of a live, a test and a hostile organization, files, one mail. */
export interface Stage {
  readonly selo: TestGateway;
  readonly browser: Browser;
  readonly proof: OwnProof;
  readonly testProof: OwnProof;
  readonly hostileProof: OwnProof;
  readonly file: PageFile;
  readonly hostileFile: PageFile;
  readonly receipt: PageFile;
  readonly testReceipt: PageFile;
  readonly evidence: PageFile;
  /** What anyone gets who asks for the proof by its code. */
  readonly publicEvidence: PageFile;
  /** Evidence that names another organization than the one that registered. */
  readonly alteredEvidence: PageFile;
  /** Signed, with keys that the service never had. */
  readonly forgedReceipt: PageFile;
  /** Signed by two people and a witness. Pages show it with `serveMade`. */
  readonly envelope: MadeEnvelope;
  readonly report: PageFile;
  /** The same with another name in it. */
  readonly alteredReport: PageFile;
  /** What the service publishes, of both environments. */
  readonly keys: readonly PublicKey[];
  /** The name of the mail in /dev/inbox. */
  readonly mail: string;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-screens-"));
  const [selo, browser] = await Promise.all([
    // States of one page follow each other at once.
    startTestGateway({ ...OPERATOR, SELO_DATA_DIR: dataDir }, { freshness: { readinessMs: 0 } }),
    launchBrowser(),
  ]);
  const organization = await selo.newOrganization({
    name: "Acme Ltda",
    language: "pt-BR",
    timeZone: "America/Sao_Paulo",
  });
  const stranger = await selo.newOrganization();
  await nameAsBefore(selo, stranger.id, HOSTILE_NAME);
  const file = pageFile("contrato.pdf", "The contract, version 3.");
  const hostileFile = pageFile(HOSTILE_FILE, "hostile");
  const proof = await register(selo, organization.live, file);
  const testProof = await register(selo, organization.test, file);
  const hostileProof = await register(selo, stranger.live, hostileFile);
  const changes = { organization: "Acme Limitada" };
  const keys = await platformKeys(selo);
  const record = await fetch(`${selo.baseUrl}/api/v1/public/proofs/${proof.verification_code}`);
  // As in development, where the demo organization registers the sample of the home page.
  const sample = pageFile("contract.txt", fs.readFileSync(sampleFile()));
  await selo.gateway.showSample((await register(selo, organization.live, sample)).verification_code);
  const envelope = await aSignedEnvelope();
  const inbox = inboxOf(selo.config);
  inbox.keep(Buffer.from(MAIL));
  return {
    selo,
    browser,
    proof,
    testProof,
    hostileProof,
    file,
    hostileFile,
    receipt: await receipt(selo, organization.live, proof),
    testReceipt: await receipt(selo, organization.test, testProof),
    evidence: pageFile("evidence.json", evidenceJson(proof, keys)),
    publicEvidence: pageFile("evidence.json", await record.text()),
    alteredEvidence: pageFile("evidence.json", evidenceJson(proof, keys, changes)),
    forgedReceipt: await forgedReceipt(signedByForger(proof)),
    envelope,
    report: await reportFile("relatorio-de-evidencias.pdf", envelope.report),
    alteredReport: await reportFile("relatorio-de-evidencias.pdf", withOtherName(envelope)),
    keys,
    mail: inbox.list()[0]?.id ?? "",
    close: async () => {
      await browser.close();
      await selo.stop();
      fs.rmSync(dataDir, { recursive: true });
    },
  };
}

function aSignedEnvelope(): Promise<MadeEnvelope> {
  const at = (minutes: string) => ({ signed_at: `2026-11-20T${minutes}:09.412338+00:00` });
  const witness = { role: "testemunha", action: "witnessed", ...at("11:10") };
  return madeEnvelope(live, {}, [
    opened({ name: "Marina Costa de Oliveira", email: "marina@exemplo.com" }, at("10:47")),
    opened({ name: "Júlia Nakamura", email: "julia@exemplo.com" }, witness),
    opened({ name: HOSTILE_NAME, email: "paulo@exemplo.com" }, at("12:34")),
  ]);
}

function withOtherName({ report }: MadeEnvelope): unknown {
  const altered = structuredClone(report) as { records: { openings: { name: { value: string } } }[] };
  for (const { openings } of altered.records.slice(0, 1)) openings.name.value = "Marina Souza";
  return altered;
}

const MAIL = [
  "From: Selo <selo@selo.example>",
  "To: ana@example.org",
  "Subject: An API token was created for Acme Ltda",
  "Date: Sat, 21 Nov 2026 22:23:34 +0000",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "A token was created.",
  "",
].join("\r\n");
