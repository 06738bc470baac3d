// How a report is drawn: a kept one is drawn anew only where REPORT_LAYOUT says that it would look otherwise.
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { PdfRenderer } from "../../../src/adapters/pdf/pdf-renderer.ts";
import type { Clock, ReportContent } from "../../../src/adapters/pdf/report-content.ts";
import { REPORT_LAYOUT, reportMaker } from "../../../src/services/signature/envelopes/kept-report.ts";
import { DRAWN, TYPED } from "./completion-stage.ts";

/** What each layout draws, of the reports below. */
const DRAWN_BY: Readonly<Record<number, string>> = {
  1: "1b23ed271f518ae1c4d58a8e27017b0fa5d26a84dac690ed247f1e5fc64d5832",
};

const renderer = new PdfRenderer();
afterAll(() => renderer.close());

const at = (minute: string): Clock => ({
  utc: `2026-11-20T12:${minute}:56.123456Z`,
  local: `2026-11-20T09:${minute}:56.123456`,
  offset: "-03:00",
});
const uuid = (place: number) => `018f3b5c-7a1e-7c3d-9b42-${String(place).padStart(12, "0")}`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const consent = { version: "intl-2026-12", language: "pt-BR", sha256: sha256("consent") };

const completed: ReportContent = {
  kind: "report",
  language: "pt-BR",
  isTest: false,
  operator: { name: "Selo Serviços Digitais Ltda", details: "CNPJ 12.345.678/0001-90, São Paulo" },
  organization: "Acme Ltda",
  timeZone: "America/Sao_Paulo",
  envelopeId: uuid(1),
  title: "Locação da casa",
  status: "completed",
  verificationCode: "GNS2-HPXT-CF41",
  verifyUrl: "https://selo.example/verify/GNS2-HPXT-CF41",
  sentAt: at("10"),
  expiresAt: at("50"),
  completedAt: at("30"),
  documents: [
    { id: uuid(2), fileName: "contrato.pdf", pages: 3, sha256: sha256("original"), finalSha256: sha256("final") },
  ],
  participants: [TYPED, DRAWN, null].map((signature, place) => ({
    id: uuid(10 + place),
    name: ["Maria Souza", "João Peçanha", "Ana Prado"][place] ?? "",
    email: `p${place}@example.com`,
    role: ["signatario", "testemunha", "aprovador"][place] ?? "",
    modality: "avancada",
    status: "completed",
    declineReason: null,
    erasedAt: null,
    act: {
      recordId: uuid(20 + place),
      action: ["signed", "witnessed", "approved"][place] ?? "",
      at: at("20"),
      authentication: [{ method: "email_link", at: at("18"), reference: "" }],
      consent,
      signature,
      certificate: null,
      keyIds: ["ed25519-01f9c38311e531f2", "ml-dsa-87-6f99a2142e8e455c"],
    },
    values: [
      { type: "texto", label: "Aluguel", value: "R$ 2.000", page: 1, fileName: "contrato.pdf" },
      { type: "checkbox", label: null, value: true, page: 2, fileName: "contrato.pdf" },
    ],
  })),
  consents: [{ ...consent, text: "Concordo em assinar por meios eletrônicos." }],
  steps: [
    { seq: 1, at: at("05"), action: "envelope.created", actor: { type: "token", id: uuid(30) }, details: {} },
    {
      seq: 2,
      at: at("10"),
      action: "envelope.sent",
      actor: { type: "token", id: uuid(30) },
      details: { status: "sent" },
    },
    {
      seq: 3,
      at: at("30"),
      action: "envelope.completed",
      actor: { type: "system", id: null },
      details: { status: "completed" },
    },
  ],
  hands: [],
  headHash: sha256("head"),
  completion: {
    sha256: sha256("completion"),
    hasTimeStamps: false,
    signatures: ["Ed25519", "ML-DSA-87"].map((algorithm) => ({
      algorithm,
      keyId: `${algorithm.toLowerCase()}-01f9c38311e531f2`,
      sha256: sha256(algorithm),
    })),
  },
  evidence: Buffer.from("{}"),
};

const declined: ReportContent = {
  ...completed,
  language: "en",
  isTest: true,
  operator: { name: null, details: null },
  status: "declined",
  completedAt: null,
  documents: completed.documents.map((document) => ({ ...document, finalSha256: null })),
  participants: completed.participants.map((participant) => ({
    ...participant,
    status: "declined",
    declineReason: "The rent is wrong.",
    act: null,
    values: [],
  })),
  consents: [{ ...consent, text: null }],
  completion: null,
};

/** A digest of all streams of a PDF, unpacked: machines pack in different ways. */
function drawnIn(pdf: Buffer): string {
  const hash = createHash("sha256");
  const begin = ">>\nstream\n";
  for (let place = pdf.indexOf(begin); place >= 0; place = pdf.indexOf(begin, place + 1)) {
    const bytes = pdf.subarray(place + begin.length, pdf.indexOf("\nendstream", place));
    let unpacked: Buffer = bytes;
    try {
      unpacked = inflateSync(bytes);
    } catch {}
    hash.update(`${unpacked.length} `).update(unpacked);
  }
  return hash.digest("hex");
}

test("a report looks as its layout says", async () => {
  const drawn = [];
  for (const content of [completed, declined]) drawn.push(drawnIn(await renderer.render(content)));
  expect(
    sha256(drawn.join()),
    "the report looks different: raise REPORT_LAYOUT, and write here what the new layout draws",
  ).toBe(DRAWN_BY[REPORT_LAYOUT]);
});

test("whoever makes reports has another word with each operator, and with each certificate of an operator", () => {
  const wordOf = (name: string, own: Parameters<typeof reportMaker>[1]) =>
    reportMaker({ name, details: null } as Parameters<typeof reportMaker>[0], own);
  const digest = (said: string) => ({ digest: () => said });
  const words = [wordOf("A", null), wordOf("B", null), wordOf("A", digest("1")), wordOf("A", digest("2"))];
  for (const word of words) expect(word).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(words).size).toBe(words.length);
});
