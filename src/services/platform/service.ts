import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { billingOperations, platformOperations, testInboxOperations } from "./operations.ts";
import type { PlatformParts } from "./parts.ts";
import { platformSettings } from "./settings.ts";

/** Organizations, tokens, credits, keys and the audit trail. */
export const platform: Service<PlatformParts> = {
  name: "platform",
  operations: [...billingOperations, ...platformOperations, ...testInboxOperations],
  parts: async ({ database, masterKeys, metrics }, { config, patience }): Promise<Own<PlatformParts>> => ({
    signers: new (await import("./keys/platform-signers.ts")).PlatformSigners(database, masterKeys, metrics),
    fileLinks: new (await import("./files/file-links.ts")).FileLinks(masterKeys, config.publicUrl),
    patience,
  }),
  readinessChecks: ({ signers }) => ({ keys: () => signers.check() }),
  settings: platformSettings,
  openapi: async () => (await import("./openapi.ts")).platformDescription,
  examples: async () => {
    const { auditExamples, billingExamples, publicExamples, testInboxExamples, tokenExamples } = await import(
      "./examples.ts"
    );
    return [...tokenExamples, ...billingExamples, ...publicExamples, ...auditExamples, ...testInboxExamples];
  },
  errorHelp: async () => (await import("./error-help.ts")).platformErrorHelp,
  mails: async () => (await import("./mails/token-mails.ts")).tokenMails,
  sealedColumns: async () => {
    const { sealKeyPurpose } = await import("./keys/make-certificate.ts");
    const { seedPurpose } = await import("./keys/platform-signers.ts");
    type Row = Readonly<Record<string, unknown>>;
    return [
      {
        table: "platform.platform_keys",
        column: "sealed_seed",
        purpose: ({ key_id }: Row) => seedPurpose(String(key_id)),
      },
      {
        table: "platform.seal_certificates",
        column: "sealed_key",
        purpose: ({ certificate_id }: Row) => sealKeyPurpose(String(certificate_id)),
      },
    ];
  },
  watched: async ({ jobs, masterKeys, objects }) => {
    const { PlatformSigners } = await import("./keys/platform-signers.ts");
    // It measures nothing: metrics count what is sealed.
    const signers = new PlatformSigners(jobs, masterKeys);
    return {
      keys: async () => {
        await signers.check();
        return "ok";
      },
      storage: async () => ((await objects.check()) === "full" ? "part" : "ok"),
    };
  },
  commands: [
    {
      words: { org: "organizations" },
      load: async () => (await import("./commands/org-commands.ts")).addOrgCommands,
    },
    {
      words: { token: "API tokens" },
      load: async () => (await import("./commands/token-commands.ts")).addTokenCommands,
    },
    {
      words: { credits: "credit balances" },
      load: async () => (await import("./commands/credits-commands.ts")).addCreditsCommands,
    },
    {
      words: { analyst: "read-only Postgres logins of analysts" },
      load: async () => (await import("./commands/analyst-commands.ts")).addAnalystCommands,
    },
    {
      words: { keys: "platform keys" },
      exitCodes: { "keys reencrypt": { 1: "a secret could not be encrypted again" } },
      load: async () => (await import("./commands/keys-commands.ts")).addKeysCommands,
    },
    {
      words: { audit: "the audit trail" },
      exitCodes: { "audit verify": { 1: "something is not as it was recorded" } },
      load: async () => (await import("./commands/audit-commands.ts")).addAuditCommands,
    },
    {
      words: { jobs: "background jobs" },
      load: async () => (await import("./commands/jobs-commands.ts")).addJobsCommands,
    },
  ],
  tasks: {
    compose_mail: {
      load: async (context) => (await import("../../../workers/platform/compose-mail.ts")).loadComposeMail(context),
    },
    erase_old_mails: {
      load: async () => (await import("../../../workers/platform/erase-old-mails.ts")).eraseOldMails,
      schedule: { at: "37 * * * *", attempts: 3 },
    },
    seal_audit: {
      load: async () => (await import("../../../workers/platform/seal-audit.ts")).sealAuditTrail,
      schedule: { at: (config) => config.of(platformSettings).AUDIT_SEAL_SCHEDULE, attempts: 5 },
    },
    send_mail: {
      load: async (context) => (await import("../../../workers/platform/send-mail.ts")).loadSendMail(context),
    },
    send_sms: {
      load: async (context) => (await import("../../../workers/platform/send-sms.ts")).loadSendSms(context),
    },
    sweep_idempotency_keys: {
      load: async () => (await import("../../../workers/platform/sweep-idempotency-keys.ts")).sweepIdempotencyKeys,
      schedule: { at: "17 * * * *", attempts: 3 },
    },
    sweep_request_counts: {
      load: async () => (await import("../../../workers/platform/sweep-request-counts.ts")).sweepRequestCounts,
      schedule: { at: "* * * * *", attempts: 1 },
    },
    verify_audit: {
      load: async ({ services }) =>
        (await import("../../../workers/platform/verify-audit.ts")).verifyAuditTrail(services),
    },
    watch_faults: {
      load: async (context) => (await import("../../../workers/platform/watch-faults.ts")).watchFaultsOf(context),
      // Behind a backlog it would take the service for away.
      schedule: { at: "* * * * *", attempts: 1, priority: -1 },
    },
    watch_jobs: {
      load: async () => (await import("../../../workers/platform/watch-jobs.ts")).watchJobs,
      schedule: { at: "*/5 * * * *", attempts: 1 },
    },
  },
};
