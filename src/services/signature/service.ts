import type { PlatformsOwn } from "../platform/parts.ts";
import { platformSettings } from "../platform/settings.ts";
import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { connectorOperations } from "./connectors/operations.ts";
import { envelopeOperations } from "./envelopes/operations.ts";
import { labelOperations } from "./labels/operations.ts";
import type { SignatureParts } from "./parts.ts";
import { documentOperations, proofOperations } from "./proofs/operations.ts";
import { recordOperations } from "./records/operations.ts";
import { proofSettings } from "./settings.ts";
import { signingOperations } from "./signing/operations.ts";
import { templateOperations } from "./templates/operations.ts";

/** Milliseconds that the test of a connector takes at most: somebody waits for it. */
const TEST_MS = 15_000;

/** Most signatures with certificates that are prepared or wait, and most of one organization: each holds a document in memory. */
const MOST_SIGNATURES = 50;
const MOST_SIGNATURES_OF_ONE = 10;

/** Most validations of files that run or wait, and most of one organization: whoever comes later is answered at once. */
const MOST_VALIDATIONS = 50;
const MOST_VALIDATIONS_OF_ONE = 10;

/** Proofs of existence, documents to be signed, envelopes, and connectors. */
export const signature: Service<SignatureParts> = {
  name: "signature",
  operations: [
    ...proofOperations,
    ...documentOperations,
    ...envelopeOperations,
    ...templateOperations,
    ...labelOperations,
    ...connectorOperations,
    ...signingOperations,
    ...recordOperations,
  ],
  ownRoutes: [
    async (app, parts) => {
      const { filesPlugin } = await import("./documents/files.ts");
      const { documentFiles } = await import("./documents/document-content.ts");
      await filesPlugin(app, parts, documentFiles(parts));
    },
  ],
  settings: proofSettings,
  openapi: async () => (await import("./openapi.ts")).signatureDescription,
  pages: async () => (await import("./pages.ts")).signaturePages,
  examples: async () => [
    ...(await import("./proofs/examples.ts")).proofExamples,
    ...(await import("./documents/examples.ts")).documentExamples,
    ...(await import("./labels/examples.ts")).labelExamples,
    ...(await import("./envelopes/examples.ts")).envelopeExamples,
    ...(await import("./templates/examples.ts")).templateExamples,
    ...(await import("./signing/examples.ts")).signingExamples,
    ...(await import("./connectors/examples.ts")).connectorExamples,
    ...(await import("./records/examples.ts")).recordExamples,
  ],
  errorHelp: async () => (await import("./error-help.ts")).proofErrorHelp,
  mails: async () => ({
    ...(await import("./mails.ts")).envelopeMails,
    ...(await import("./connectors/mails.ts")).connectorMails,
    signing_code: (await import("./signing/mail-signing-code.ts")).signingCodeMail,
  }),
  queues: {
    unverified_proofs: {
      name: "selo_unverified_proofs",
      help: "Proofs that wait for their second verification, or failed it.",
      oldestHelp: "For how long the oldest proof has waited for its second verification.",
    },
    unverified_records: {
      name: "selo_unverified_signature_records",
      help: "Signed records of envelopes that wait for their second verification, or failed it.",
      oldestHelp: "For how long the oldest signed record has waited for its second verification.",
    },
  },
  metrics: async () => (await import("./metrics.ts")).signatureMetrics,
  parts: async ({ database, masterKeys, metrics }, { config, onClose }): Promise<Own<SignatureParts, PlatformsOwn>> => {
    const { PdfRenderer } = await import("../../adapters/pdf/pdf-renderer.ts");
    const { FairSlots } = await import("../../adapters/fair-slots.ts");
    const { ProofBatcher } = await import("./proofs/proof-batcher.ts");
    const { signatureMetrics } = await import("./metrics.ts");
    const { DataKeys } = await import("./documents/data-keys.ts");
    const { ReportMaker } = await import("./envelopes/make-report.ts");
    const { PdfSealer } = await import("./envelopes/pdf-sealer.ts");
    const { sealerSettings } = await import("./envelopes/sealer-settings.ts");
    const { DossierTurns } = await import("./dossiers/sent-in-turns.ts");
    const { ObjectSender } = await import("../../adapters/object-put/object-sender.ts");
    const { DnsResolver } = await import("../../adapters/outgoing-http/resolver.ts");
    const connectorTester = new ObjectSender({
      resolver: new DnsResolver(config.dnsResolvers ?? []),
      connectMs: TEST_MS,
      silenceMs: TEST_MS,
      wholeMs: TEST_MS,
    });
    onClose(() => connectorTester.close());
    const receipts = new PdfRenderer();
    onClose(() => receipts.close());
    // Participants may give many texts of many letters: receipts do not wait for these either.
    const fieldTexts = new PdfRenderer();
    onClose(() => fieldTexts.close());
    // The report of an envelope with many participants takes seconds: receipts do not wait for it.
    const renderer = new PdfRenderer();
    onClose(() => renderer.close());
    const { reportMaker } = await import("./envelopes/kept-report.ts");
    const sealing = sealerSettings(config);
    const sealer = new PdfSealer(database, masterKeys, { metrics, ...sealing });
    const signingSlots = new FairSlots(undefined, { most: MOST_SIGNATURES, mostOfGroup: MOST_SIGNATURES_OF_ONE });
    const { certificateJudgeOf } = await import("./signing/certificate-judge-of.ts");
    const certificateJudge = await certificateJudgeOf(config, signingSlots);
    const { factorProvidersOf } = await import("./signing/factor-providers.ts");
    const factorProviders = factorProvidersOf(config);
    onClose(() => factorProviders.close());
    // Each series exists from the start, so that its first count shows as an increase.
    metrics.creditsSpent("signature", 0);
    return {
      documentSlots: new FairSlots(),
      dossierTurns: new DossierTurns(),
      dataKeys: new DataKeys(masterKeys),
      batcher: new ProofBatcher(database),
      receipts,
      fieldTexts,
      sealer,
      certificateJudge,
      factorProviders,
      signingSlots,
      validationSlots: new FairSlots(undefined, { most: MOST_VALIDATIONS, mostOfGroup: MOST_VALIDATIONS_OF_ONE }),
      stampRoots: sealing.stampRoots,
      reports: new ReportMaker({ renderer, sealer, slots: new FairSlots(), operator: config.operator }),
      reportMaker: () => reportMaker(config.operator, sealing.own),
      connectorTester,
      allowsLoopback: config.of(platformSettings).WEBHOOK_ALLOW_LOOPBACK === "1",
      siteOperator: config.operator,
      signatureMetrics: metrics.of(signatureMetrics),
      proofMaxFileBytes: config.of(proofSettings).PROOF_MAX_FILE_BYTES,
      documentCheckWaitMs: config.of(proofSettings).DOCUMENT_CHECK_WAIT_SECONDS * 1_000,
      documentMaxBytes: config.of(proofSettings).DOCUMENT_MAX_BYTES,
    };
  },
  madeAtStart: {
    members: ["signer_p12", "signer_password", "signer_roots"],
    make: async (config) => {
      if (config.of(proofSettings).ICP_BRASIL_TEST_ROOTS !== undefined) return { settings: {}, demo: {} };
      const { ensureDemoSigner } = await import("./demo/ensure-demo-signer.ts");
      const { roots, p12, password } = await ensureDemoSigner(config.dataDir);
      return {
        settings: { ICP_BRASIL_TEST_ROOTS: roots },
        demo: { signer_p12: p12, signer_password: password, signer_roots: roots },
      };
    },
  },
  // With an unusable certificate envelopes would wait for their seals, one after the other, and nobody would know why.
  readinessChecks: ({ sealer }) => ({ certificates: () => sealer.check() }),
  sealedColumns: async () => {
    const { dataKeyPurpose } = await import("./documents/data-keys.ts");
    const purpose = ({ tenant_id, environment }: Readonly<Record<string, unknown>>) =>
      dataKeyPurpose(String(tenant_id), String(environment));
    const { connectorSecretPurpose } = await import("./connectors/connector-secret.ts");
    return [
      { table: "signature.data_keys", column: "sealed_key", purpose },
      {
        table: "signature.connectors",
        column: "sealed_secret",
        purpose: ({ id }: Readonly<Record<string, unknown>>) => connectorSecretPurpose(String(id)),
      },
    ];
  },
  rangeChecks: {
    proofs: {
      counts: "proofs",
      load: async () => (await import("./proofs/verify-signatures.ts")).verifySignatures,
    },
    signature_records: {
      counts: "signed_records",
      load: async () => (await import("./proofs/verify-signatures.ts")).verifyRecordSignatures,
    },
  },
  commands: [
    {
      words: { proof: "proofs of existence" },
      exitCodes: { "proof verify": { 2: "not proved", 3: "unusable arguments, or a file that cannot be read" } },
      load: async () => (await import("./commands/verify-command.ts")).addProofCommands,
    },
    {
      words: { envelope: "envelopes of organizations" },
      load: async () => (await import("./commands/envelope-commands.ts")).addEnvelopeCommands,
    },
  ],
  watched: async ({ jobs, masterKeys, config }) => {
    const { PdfSealer } = await import("./envelopes/pdf-sealer.ts");
    const { sealerSettings } = await import("./envelopes/sealer-settings.ts");
    const sealer = new PdfSealer(jobs, masterKeys, sealerSettings(config));
    return {
      certificates: async () => {
        await sealer.check();
        return "ok";
      },
    };
  },
  tasks: {
    check_document: {
      load: async (context) =>
        (await import("../../../workers/signature/check-document.ts")).loadCheckDocument(context),
    },
    complete_envelope: {
      load: async (context) =>
        (await import("../../../workers/signature/complete-envelope.ts")).loadCompleteEnvelope(context),
    },
    continue_completions: {
      load: async () => (await import("../../../workers/signature/continue-completions.ts")).continueCompletions,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    continue_document_checks: {
      load: async () => (await import("../../../workers/signature/continue-document-checks.ts")).continueDocumentChecks,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    deliver_package: {
      load: async (context) =>
        (await import("../../../workers/signature/deliver-package.ts")).loadDeliverPackage(context),
    },
    expire_envelopes: {
      load: async (context) =>
        (await import("../../../workers/signature/expire-envelopes.ts")).loadExpireEnvelopes(context),
      schedule: { at: "* * * * *", attempts: 1 },
    },
    remove_object: {
      load: async (context) => (await import("../../../workers/signature/remove-object.ts")).loadRemoveObject(context),
    },
    remind_participants: {
      load: async () => (await import("../../../workers/signature/remind-participants.ts")).remindParticipants,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    sweep_signing: {
      load: async () => (await import("../../../workers/signature/sweep-signing.ts")).sweepSigning,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    sweep_deliveries: {
      load: async () => (await import("../../../workers/signature/sweep-deliveries.ts")).sweepDeliveries,
      schedule: { at: "37 * * * *", attempts: 1 },
    },
    reverify_proofs: {
      load: async () => (await import("../../../workers/signature/reverify.ts")).reverifyProofs,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    reverify_records: {
      load: async () => (await import("../../../workers/signature/reverify.ts")).reverifyRecords,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    watch_certificates: {
      load: async (context) =>
        (await import("../../../workers/signature/watch-certificates.ts")).loadWatchCertificates(context),
      schedule: { at: "23 * * * *", attempts: 1 },
    },
    sweep_objects: {
      load: async (context) => (await import("../../../workers/signature/sweep-objects.ts")).loadSweepObjects(context),
      schedule: { at: "47 * * * *", attempts: 3 },
    },
  },
};
