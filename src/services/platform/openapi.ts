import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import {
  always,
  DAY,
  ED25519_ID,
  INSTANT,
  ML_DSA_ID,
  SHA256,
  SIGNED_INSTANT,
  UUID,
} from "../../surfaces/openapi/members.ts";
import { pageOf, propertiesOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, orNull, ref, type Schema } from "../../surfaces/openapi/schema.ts";

export const AUDIT_CHAIN: Schema = {
  description: "The state of the subject's chain, recomputed for this answer.",
  ...objectOf({
    subject_id: { ...UUID, description: "The requested subject." },
    length: { type: "integer", format: "int64", description: "Number of events in the chain." },
    head_hash: { type: ["string", "null"], description: "Hash of the last event, hexadecimal." },
    sealed_by: {
      type: ["integer", "null"],
      format: "int64",
      description: "Number of the last seal that covers an event of the chain.",
    },
    sealed_length: {
      type: ["integer", "null"],
      format: "int64",
      description: "Number of events of the chain that this seal covers.",
    },
    faults: {
      type: "array",
      description: "Differences from what was recorded. Empty if the chain is intact.",
      items: objectOf({
        seq: { type: "integer", format: "int64", description: "The event's place in the chain." },
        event_id: { type: ["string", "null"], format: "uuid", description: "The event. Null if the event is missing." },
        fault: { type: "string", description: "The fault." },
      }),
    },
  }),
};

const OWN_SEAL_CERTIFICATE: Readonly<Record<string, Schema>> = {
  certificate: { type: "string", contentEncoding: "base64", description: "The X.509 certificate: base64 of its DER." },
  chain: {
    type: "array",
    items: { type: "string", contentEncoding: "base64" },
    description: "Those above it, each the issuer of the one before. The root may be missing.",
  },
  not_before: { ...INSTANT, description: "Start of the certificate's validity (UTC)." },
  not_after: { ...INSTANT, description: "End of the certificate's validity (UTC)." },
};

/** Members of the evidence that an audit seal signs: jobs.prepare_audit_seal. */
const AUDIT_SEAL_EVIDENCE: Readonly<Record<string, Schema>> = {
  kind: always("audit_seal"),
  schema_version: always(1),
  number: { type: "integer", format: "int64", description: "Number of the seal." },
  sealed_at: { ...SIGNED_INSTANT, description: "When the seal was created." },
  chains: { type: "integer", format: "int64", description: "Number of chains that the seal covers." },
  root: { ...SHA256, description: "Merkle root over the roots of all organizations." },
  hash_algorithm: always("SHA-256"),
  tree: always("RFC 9162"),
  previous: {
    type: ["string", "null"],
    description: "SHA-256 of the evidence of the previous seal, hexadecimal. Null in the first seal.",
  },
  time_source: always("platform_server_clock_utc"),
  hybrid_policy: always("AND"),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs the seal." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs the seal." },
};

const TOKEN: Schema = objectOf({
  id: { ...UUID, description: "Id of the token. Audit events that the token caused have this id as actor_id." },
  name: { type: "string", description: "The name that its owner gave the token." },
  prefix: { type: "string", description: "The first characters of the token." },
  created_at: { ...INSTANT, description: "When the token was created." },
  expires_at: { ...orNull(INSTANT), description: "When the token expires. Null if it never expires." },
});

export const platformDescription: ApiDescription = {
  tags: {
    Token: "The token of the request: its rights and limits.",
    Billing:
      "Credits and the plan. They belong to the organization, so live and test tokens see the same values. A new proof costs one `signature` credit in the live environment. Nothing costs credits in test. `icp_brasil` is a separate balance, for " +
      "participants who sign with their own ICP-Brasil certificate.",
    "Public verification":
      "Open to everyone, without a token: look up proofs and envelopes, and get the keys to check them offline. Names and sizes of files, " +
      "titles of envelopes and names of participants are never shown. To check a proof without trusting us, see `/guides/verifying`, and, byte by byte, `/guides/proof-format`.",
    "Audit trail":
      "One event for every write that was committed, by REST, GraphQL or the command line. The events about one subject " +
      "form a chain: each holds the SHA-256 of the one before it. Once a day, the heads of all chains are sealed with both platform keys. The chain holds personal data only as salted commitments, so the data can be erased without breaking the chain.",
    "Test inbox":
      "In the test environment, mail goes only to the organization's contact. Mail to anyone else is composed and kept here instead of being sent.",
  },
  formats: { audit_seal_evidence: ref("AuditSealEvidence") },
  schemas: ({ row }) => {
    const plan = row("billing_plan");
    return {
      Me: {
        description: "A token with its rights and limits.",
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
            description: "The token. Null if the caller is not a token.",
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
              requests_per_minute: { type: "integer", description: "Requests a minute that a token may make." },
              json_bytes: { type: "integer", description: "Largest JSON body, in bytes." },
              items_per_page: { type: "integer", description: "Largest number of items in a page." },
            }),
          },
        }),
      },
      CreditBalances: {
        description: "The balance of every kind of credit.",
        ...objectOf({ credit_balances: { type: "array", items: ref("CreditBalance") } }),
      },
      CreditBalance: row("credit_balances"),
      CreditUsage: {
        description: "Movements of credits in a period.",
        ...objectOf({
          from: { ...DAY, description: "The first day, in UTC." },
          to: { ...DAY, description: "The last day, in UTC. The period includes this day." },
          credit_usage: { type: "array", items: ref("CreditUsageOfDay") },
        }),
      },
      CreditUsageOfDay: row("credit_usage"),
      BillingPlan: {
        description: plan["description"],
        ...objectOf({
          ...propertiesOf(plan),
          plan_features: {
            description: "Features that not every plan includes.",
            type: "array",
            items: ref("PlanFeature"),
          },
        }),
      },
      PlanFeature: row("plan_features"),
      PlatformKey: row("platform_keys"),
      SealCertificate: row("seal_certificates"),
      PlatformKeys: {
        description: "All public keys of the platform, and the certificates that seal PDFs.",
        ...objectOf({
          platform_keys: { type: "array", items: ref("PlatformKey") },
          seal_certificates: { type: "array", items: ref("SealCertificate") },
          own_seal_certificates: {
            description: "Certificates of the operator, which seal PDFs of live instead. Mostly empty.",
            type: "array",
            items: ref("OwnSealCertificate"),
          },
        }),
      },
      OwnSealCertificate: {
        description: "A certificate of the operator that seals, or sealed, PDFs of live.",
        ...objectOf(OWN_SEAL_CERTIFICATE),
      },
      AuditEvent: row("audit_events"),
      AuditEventPage: withChain(
        pageOf("AuditEvent", "A page of events. With subject_id, it also has the state of the subject's chain."),
      ),
      TestMail: row("test_mails"),
      TestMailPage: pageOf("TestMail", "A page of test mails."),
      AuditSeal: row("audit_seals"),
      AuditSealPage: pageOf("AuditSeal", "A page of seals."),
      AuditSealEvidence: {
        description: "The signed evidence, as canonical JSON. `/guides/proof-format` describes it.",
        ...objectOf(AUDIT_SEAL_EVIDENCE),
      },
    };
  },
};

/** The chain is present only when one subject was asked for. */
function withChain(page: Schema): Schema {
  const properties = { ...propertiesOf(page), chain: AUDIT_CHAIN };
  return { ...page, properties };
}
