import { ownerPool } from "../../support/owner.ts";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { sampleMails } from "./sample-mails.ts";

export const facts: ServiceFacts = {
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  settings: {
    AUDIT_SEAL_SCHEDULE: {},
    WEBHOOK_ALLOW_LOOPBACK: {
      more: " (`1` for `npm start`)",
      taken: [
        ["1", "1"],
        ["0", "0"],
        ["", "0"],
      ],
      refused: [["yes"], ["2"]],
    },
  },
  mails: sampleMails,
  audit: {
    write: async ({ operator, database }, { id }) => {
      const { id: revoked } = await operator.createToken(id, "live", "old", ["proofs:read"]);
      await operator.revokeToken(revoked);
      const owner = ownerPool(database);
      await owner.query("select platform.bind_analyst('selo_analyst_of_coverage', $1, 'live')", [id]);
      await owner.end();
    },
    unbound: ["alter table platform.organizations alter column number drop identity"],
    erased: ["platform.audit_events.personal"],
    rows: {
      "platform.audit_events": ["personal is not null"],
      "platform.credentials": ["revoked_at is null", "revoked_at is not null"],
      "platform.credit_ledger": ["amount > 0", "amount < 0"],
      "platform.platform_keys": ["status = 'active'", "status = 'retired'"],
      // A check constraint keeps a time of retirement out of an active row.
      "platform.seal_certificates": ["status = 'retired'"],
      "platform.settings": ["name = 'public_url'"],
    },
    edits: {
      "platform.audit_events.personal": `jsonb_set(personal, '{address}', '{"salt": "00", "value": "x"}')`,
      // Known to within an hour.
      "platform.credit_ledger.created_at": "created_at + interval '1 day'",
      "platform.seal_certificates.created_at": "created_at + interval '1 day'",
      "platform.seal_certificates.retired_at": "coalesce(retired_at, now()) + interval '1 day'",
      "platform.platform_keys.created_at": "created_at + interval '1 day'",
      "platform.platform_keys.retired_at": "coalesce(retired_at, now()) + interval '1 day'",
    },
  },
  graphql: {
    queries: [
      "apiTokens",
      "auditChain",
      "auditEvent",
      "auditEvents",
      "auditSeal",
      "auditSeals",
      "billingPlan",
      "creditBalances",
      "creditUsage",
      "node",
      "organization",
      "planFeatures",
      "platformKey",
      "platformKeys",
      "sealCertificate",
      "sealCertificates",
      "testMail",
      "testMails",
    ],
    mutations: ["createApiToken", "revokeApiToken", "updateOrganization"],
    lists: { listTestInbox: "testMails" },
    json: ["AuditEvent.commitments", "AuditEvent.details", "AuditSeal.evidence", "BillingPlan.limits"],
    types: {
      api_tokens: "ApiToken",
      organization: "Organization",
      billing_plan: "BillingPlan",
      credit_balances: "CreditBalance",
      credit_usage: "CreditUsage",
      plan_features: "PlanFeature",
      audit_events: "AuditEvent",
      audit_seals: "AuditSeal",
      test_mails: "TestMail",
      tokens: "Token",
      platform_keys: "PlatformKey",
      seal_certificates: "SealCertificate",
    },
    enums: {
      Environment: ["LIVE", "TEST"],
      PlatformKeyStatus: ["ACTIVE", "RETIRED"],
    },
  },
};
