import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inboxOf } from "../../../src/surfaces/dev-inbox/inbox.ts";
import { sampleFile } from "../../../src/surfaces/web/sample-file.ts";
import { startTestGateway } from "../../support/gateway.ts";
import { launchBrowser } from "../web/browser.ts";
import { pageFile, register } from "../web/proofs.ts";
import type { Stage } from "./state.ts";

const OPERATOR = {
  OPERATOR_NAME: "Selo Serviços Digitais Ltda",
  OPERATOR_DETAILS: "CNPJ 12.345.678/0001-90, São Paulo",
  CONTACT_URL: "mailto:contato@selo.example",
  PRIVACY_URL: "https://selo.example/privacidade",
  TERMS_URL: "https://selo.example/termos",
};

/** A gateway of an operator who has a name, and a browser. */
export async function openStage(): Promise<Stage> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-screens-"));
  const [selo, browser] = await Promise.all([
    // States of one page follow each other at once.
    startTestGateway({ ...OPERATOR, SELO_DATA_DIR: dataDir }, { freshness: { readinessMs: 0 } }),
    launchBrowser(),
  ]);
  return {
    selo,
    browser,
    close: async () => {
      await browser.close();
      await selo.stop();
      fs.rmSync(dataDir, { recursive: true });
    },
  };
}

/** With what the site shows: the sample of the home page, and a mail. */
export interface SiteStage extends Stage {
  /** The name of the mail in /dev/inbox. */
  readonly mail: string;
}

export async function openSiteStage(): Promise<SiteStage> {
  const stage = await openStage();
  const { selo } = stage;
  const organization = await selo.newOrganization({
    name: "Acme Ltda",
    language: "pt-BR",
    timeZone: "America/Sao_Paulo",
  });
  // As in development, where the demo organization registers the sample of the home page.
  const sample = pageFile("contract.txt", fs.readFileSync(sampleFile()));
  await selo.gateway.showSample((await register(selo, organization.live, sample)).verification_code);
  const inbox = inboxOf(selo.config);
  inbox.keep(Buffer.from(MAIL));
  return { ...stage, mail: inbox.list()[0]?.id ?? "" };
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
