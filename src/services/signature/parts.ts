import type { FairSlots } from "../../adapters/fair-slots.ts";
import type { ObjectSender } from "../../adapters/object-put/object-sender.ts";
import type { PdfRenderer } from "../../adapters/pdf/pdf-renderer.ts";
import type { SiteOperator } from "../../config/config.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import type { PlatformParts } from "../platform/parts.ts";
import type { DataKeys } from "./documents/data-keys.ts";
import type { DossierTurns } from "./dossiers/sent-in-turns.ts";
import type { ReportMaker } from "./envelopes/make-report.ts";
import type { PdfSealer } from "./envelopes/pdf-sealer.ts";
import type { SignatureMetrics } from "./metrics.ts";
import type { ProofBatcher } from "./proofs/proof-batcher.ts";
import type { CertificateJudge } from "./signing/certificate-judge.ts";
import type { FactorProviders } from "./signing/factor-providers.ts";

/** The objects that this service's operations work with. */
export interface SignatureParts extends PlatformParts {
  readonly dataKeys: DataKeys;
  /** The turns of checks of uploaded PDFs. */
  readonly documentSlots: FairSlots;
  /** The turns of dossiers. */
  readonly dossierTurns: DossierTurns;
  /** DOCUMENT_CHECK_WAIT_SECONDS, in milliseconds. */
  readonly documentCheckWaitMs: number;
  /** DOCUMENT_MAX_BYTES. */
  readonly documentMaxBytes: number;
  readonly batcher: ProofBatcher;
  readonly signatureMetrics: SignatureMetrics;
  readonly receipts: PdfRenderer;
  /** Says how much of a text can be read in its field. */
  readonly fieldTexts: PdfRenderer;
  /** Seals PDFs with the certificates. */
  readonly sealer: PdfSealer;
  /** Judges certificates of participants. */
  readonly certificateJudge: CertificateJudge;
  /** Who judges second factors, in each environment. */
  readonly factorProviders: FactorProviders;
  /** The turns of signatures with these certificates: each starts processes. */
  readonly signingSlots: FairSlots;
  /** The turns of validations of files: each starts a process. */
  readonly validationSlots: FairSlots;
  /** DER: the roots of TSA_CA_FILE. */
  readonly stampRoots: readonly Buffer[];
  /** Makes evidence reports. */
  readonly reports: ReportMaker;
  /** What names the present maker of reports: see reportMaker. */
  readonly reportMaker: () => string;
  /** Writes the objects of tests of connectors. */
  readonly connectorTester: Pick<ObjectSender, "put">;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly allowsLoopback: boolean;
  /** Who runs this deployment, as receipts say it. */
  readonly siteOperator: SiteOperator;
  /** PROOF_MAX_FILE_BYTES. */
  readonly proofMaxFileBytes: number;
}

export const operation = operationsOf<SignatureParts>();
