import { nameAsBefore } from "../../../support/gateway.ts";
import { type MadeEnvelope, madeEnvelope, opened } from "../../../verifier/made-envelopes.ts";
import { live } from "../../../verifier/made-proofs.ts";
import { openStage } from "../../screens/stage.ts";
import type { Stage } from "../../screens/state.ts";
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

/** As long as names may be, without a place to break, with markup and with characters that turn text. */
const HOSTILE_NAME = `<script>alert(1)</script>\u202e${"Organização-sem-espaço".repeat(6)}`.slice(0, 140);
const HOSTILE_FILE = `<b>x<b>\u202egpj.${"nome-de-arquivo-sem-espaço".repeat(7)}`.slice(0, 190);

/** Proofs of a live, a test and a hostile organization, and files. */
export interface VerifyStage extends Stage {
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
}

export async function openVerifyStage(): Promise<VerifyStage> {
  const stage = await openStage();
  const { selo } = stage;
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
  const envelope = await aSignedEnvelope();
  return {
    ...stage,
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
