import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { always, DAY, ED25519_ID, INSTANT, ML_DSA_ID, SHA256, UUID } from "../../surfaces/openapi/members.ts";
import { pageOf, propertiesOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, orNull, ref, type Schema } from "../../surfaces/openapi/schema.ts";

const AUDIT_CHAIN: Schema = {
  description: "The state of the subject's chain, recomputed when it was asked for.",
  ...objectOf({
    subject_id: { ...UUID, description: "As asked for." },
    length: { type: "integer", format: "int64", description: "How many events it has." },
    head_hash: { type: ["string", "null"], description: "Hash of the last, hexadecimal." },
    sealed_by: {
      type: ["integer", "null"],
      format: "int64",
      description: "Number of the last seal that covers any of it.",
    },
    sealed_length: {
      type: ["integer", "null"],
      format: "int64",
      description: "How many of its events that seal covers.",
    },
    faults: {
      type: "array",
      description: "What is not as it was recorded; empty when all is well.",
      items: objectOf({
        seq: { type: "integer", format: "int64", description: "Place in the chain." },
        event_id: { type: ["string", "null"], format: "uuid", description: "The event, if there is one." },
        fault: { type: "string", description: "What is wrong." },
      }),
    },
  }),
};

/** Members of what a seal of the audit trail signs: jobs.prepare_audit_seal. */
const AUDIT_SEAL_EVIDENCE: Readonly<Record<string, Schema>> = {
  kind: always("audit_seal"),
  schema_version: always(1),
  number: { type: "integer", format: "int64", description: "Of the seal." },
  sealed_at: { ...INSTANT, description: "When it was made." },
  chains: { type: "integer", format: "int64", description: "How many chains it covers." },
  root: { ...SHA256, description: "Merkle root over the roots of all organizations." },
  hash_algorithm: always("SHA-256"),
  tree: always("RFC 9162"),
  previous: {
    type: ["string", "null"],
    description: "SHA-256 of the evidence of the seal before it, hexadecimal; null in the first.",
  },
  time_source: always("platform_server_clock_utc"),
  hybrid_policy: always("AND"),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs it." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs it." },
};

const TOKEN: Schema = objectOf({
  id: { ...UUID, description: "The token. It is actor_id of the events in the audit trail that the token caused." },
  name: { type: "string", description: "What its owner calls it." },
  prefix: { type: "string", description: "Its first characters." },
  created_at: { ...INSTANT, description: "When it was made." },
  expires_at: { ...orNull(INSTANT), description: "From then on it is refused; null: never." },
});

export const platformDescription: ApiDescription = {
  tags: {
    Token: "What the token that asks opens.",
    Billing:
      "Credits and the plan. They belong to the organization, so live and test tokens see the same. A new proof takes one " +
      "`signature` credit in the live environment; nothing takes any in test. `icp_brasil` is a separate balance, for " +
      "participants who sign with their own ICP-Brasil certificate.",
    "Public verification":
      "For anyone, without a token: look proofs up, and get the keys to check them offline. Names and sizes of files are " +
      "never shown. How to check a proof without trusting us: `/guides/verifying`, and byte by byte " +
      "`/guides/proof-format`.",
    "Audit trail":
      "One event for every write that was committed, whether it came by REST, GraphQL or the command line. The events about one subject " +
      "form a chain: each holds the SHA-256 of the one before it. Daily, the heads of all chains are sealed with both platform keys. " +
      "Personal data is in the chain only as salted commitments, so that it can be erased without breaking it.",
  },
  formats: { audit_seal_evidence: ref("AuditSealEvidence") },
  schemas: ({ row }) => {
    const plan = row("billing_plan");
    return {
      Me: {
        description: "What a token opens.",
        ...objectOf({
          organization: {
            description: "The organization that the token acts for.",
            ...objectOf({
              id: { ...UUID, description: "The organization." },
              number: { type: "integer", format: "int64", description: "The organization's number." },
              name: { type: "string", description: "The organization's name." },
            }),
          },
          environment: { type: "string", enum: ["live", "test"], description: "The environment of the token." },
          token: {
            description: "The token; null where something else than a token asks.",
            ...orNull(TOKEN),
          },
          scopes: {
            type: "array",
            items: { type: "string" },
            description: "What the token may do, in alphabetical order.",
          },
          plan: { type: "string", description: "free, growth, business or enterprise." },
          limits: {
            description: "The limits of this deployment.",
            ...objectOf({
              requests_per_minute: { type: "integer", description: "Requests that a token may make in a minute." },
              json_bytes: { type: "integer", description: "The most bytes of a JSON body." },
              items_per_page: { type: "integer", description: "The most items of a page." },
            }),
          },
        }),
      },
      CreditBalances: {
        description: "What is left of every kind of credit.",
        ...objectOf({ credit_balances: { type: "array", items: ref("CreditBalance") } }),
      },
      CreditBalance: row("credit_balances"),
      CreditUsage: {
        description: "Movements of credits in a period.",
        ...objectOf({
          from: { ...DAY, description: "The first day, in UTC." },
          to: { ...DAY, description: "The last day, in UTC, itself included." },
          credit_usage: { type: "array", items: ref("CreditUsageOfDay") },
        }),
      },
      CreditUsageOfDay: row("credit_usage"),
      BillingPlan: {
        description: plan["description"],
        ...objectOf({
          ...propertiesOf(plan),
          plan_features: {
            description: "What not every plan includes.",
            type: "array",
            items: ref("PlanFeature"),
          },
        }),
      },
      PlanFeature: row("plan_features"),
      PlatformKey: row("platform_keys"),
      PlatformKeys: {
        description: "All public keys of the platform.",
        ...objectOf({ platform_keys: { type: "array", items: ref("PlatformKey") } }),
      },
      AuditEvent: row("audit_events"),
      AuditEventPage: withChain(pageOf("AuditEvent", "A page of events; of one subject, with the state of its chain.")),
      AuditSeal: row("audit_seals"),
      AuditSealPage: pageOf("AuditSeal", "A page of seals."),
      AuditSealEvidence: {
        description: "What was signed, as canonical JSON. Described in `/guides/proof-format`.",
        ...objectOf(AUDIT_SEAL_EVIDENCE),
      },
    };
  },
};

/** Only when one subject was asked for. */
function withChain(page: Schema): Schema {
  const properties = { ...propertiesOf(page), chain: AUDIT_CHAIN };
  return { ...page, properties };
}
