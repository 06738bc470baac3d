import type { Views } from "../../postgres/generated/views.ts";
import type { CatalogColumn, CatalogView } from "../../postgres/migrate/api-catalog.ts";
import { AUDIT_CHAIN, AUDIT_SEAL_EVIDENCE, EVIDENCE, VERIFICATION } from "./evidence.ts";
import { ALGORITHM, always, BASE64, CODE, DAY, ED25519_ID, INSTANT, ML_DSA_ID, SHA256, UUID } from "./members.ts";
import { objectOf, orNull, ref, type Schema } from "./schema.ts";

/** What a column of this Postgres type is in JSON. */
const TYPES: Readonly<Record<string, Schema>> = {
  bigint: { type: "integer", format: "int64" },
  boolean: { type: "boolean" },
  date: DAY,
  integer: { type: "integer", format: "int32" },
  json: { type: "object" },
  numeric: { type: "string" },
  smallint: { type: "integer", format: "int32" },
  text: { type: "string" },
  "text[]": { type: "array", items: { type: "string" } },
  "timestamp with time zone": INSTANT,
  uuid: UUID,
};

/** Columns of which more is known than their type, whichever view they are in. */
const COLUMNS: Readonly<Record<string, Schema>> = {
  algorithm: ALGORITHM,
  evidence_signature_algorithms: { type: "array", items: ALGORITHM },
  platform_key_id: ED25519_ID,
  platform_pq_key_id: ML_DSA_ID,
  platform_signature: BASE64,
  platform_signature_pq: BASE64,
  public_key: BASE64,
  redacted: { type: "array", items: { type: "string", enum: ["file_name", "file_size"] } },
  sha256: SHA256,
  verification_code: CODE,
  verify_url: { type: "string", format: "uri" },
};

/** The schemas of every resource, from the views of schema api and their comments. */
export function resourceSchemas(views: ReadonlyMap<string, CatalogView>): Record<string, Schema> {
  const view = (name: keyof Views) => {
    const found = views.get(name);
    if (found === undefined) throw new Error(`there is no view api.${name}`);
    return found;
  };
  const rowOf = (name: keyof Views, evidence = "Evidence"): Schema => ({
    description: view(name).description,
    ...objectOf(Object.fromEntries(view(name).columns.map((column) => [column.name, columnSchema(column, evidence)]))),
  });
  const publicProof = rowOf("public_proofs", "PublicEvidence");
  return {
    Proof: rowOf("proofs"),
    ProofPage: pageOf("Proof", "A page of proofs."),
    Webhook: rowOf("webhook_endpoints"),
    WebhookWithSecret: withSecret(rowOf("webhook_endpoints")),
    WebhookPage: pageOf("Webhook", "A page of webhooks."),
    WebhookDelivery: rowOf("webhook_deliveries"),
    WebhookDeliveryPage: pageOf("WebhookDelivery", "A page of delivery attempts."),
    WebhookReplay: {
      description: "What a replay did.",
      ...objectOf({
        replayed: {
          type: "integer",
          minimum: 0,
          maximum: 10_000,
          description: "How many deliveries will be attempted again.",
        },
        has_more: { type: "boolean", description: "Whether there are more such deliveries." },
      }),
    },
    Event: eventSchema({
      type: { type: "string", description: "Kind of event." },
      data: { type: "object", description: "Facts, as the kind has them." },
    }),
    EventPage: pageOf("Event", "A page of events."),
    CreditBalances: {
      description: "What is left of every kind of credit.",
      ...objectOf({ credit_balances: { type: "array", items: ref("CreditBalance") } }),
    },
    CreditBalance: rowOf("credit_balances"),
    CreditUsage: {
      description: "Movements of credits in a period.",
      ...objectOf({
        from: { ...DAY, description: "The first day, in UTC." },
        to: { ...DAY, description: "The last day, in UTC, itself included." },
        credit_usage: { type: "array", items: ref("CreditUsageOfDay") },
      }),
    },
    CreditUsageOfDay: rowOf("credit_usage"),
    BillingPlan: {
      description: view("billing_plan").description,
      ...objectOf({
        ...(rowOf("billing_plan")["properties"] as Record<string, Schema>),
        plan_features: {
          description: "What not every plan includes.",
          type: "array",
          items: ref("PlanFeature"),
        },
      }),
    },
    PlanFeature: rowOf("plan_features"),
    VerifiedProof: {
      description: `${publicProof.description} Verified when it was asked for.`,
      ...objectOf({
        ...(publicProof["properties"] as Record<string, Schema>),
        platform_keys: {
          description: "The two keys that the evidence names, as far as the registry has them.",
          type: "array",
          items: ref("PlatformKey"),
        },
        verification: ref("Verification"),
      }),
    },
    Verification: VERIFICATION,
    PlatformKey: rowOf("platform_keys"),
    PlatformKeys: {
      description: "All public keys of the platform.",
      ...objectOf({ platform_keys: { type: "array", items: ref("PlatformKey") } }),
    },
    AuditEvent: rowOf("audit_events"),
    AuditEventPage: withChain(pageOf("AuditEvent", "A page of events; of one subject, with the state of its chain.")),
    AuditSeal: rowOf("audit_seals", "AuditSealEvidence"),
    AuditSealPage: pageOf("AuditSeal", "A page of seals."),
    AuditSealEvidence: {
      description: "What was signed, as canonical JSON. Described in src/verifier/README.md.",
      ...objectOf(AUDIT_SEAL_EVIDENCE),
    },
    Evidence: {
      description:
        "What was signed. Written as canonical JSON (keys sorted, separators `,` and `:` without whitespace, non-ASCII " +
        "characters as they are), its UTF-8 bytes are what both signatures are over.",
      ...objectOf(EVIDENCE),
    },
    PublicEvidence: {
      description:
        "What was signed, without the members that `redacted` names. Whoever has the file puts its name and size in again " +
        "and checks the signatures.",
      ...objectOf(EVIDENCE, ["file_name", "file_size"]),
    },
  };
}

function columnSchema(column: CatalogColumn, evidence: string): Schema {
  const description = described(column);
  if (column.name === "evidence") return { ...ref(evidence), description };
  const known = COLUMNS[column.name] ?? TYPES[column.type];
  if (known === undefined) throw new Error(`say in TYPES what ${column.type} is in JSON`);
  const schema = column.values === null ? known : { ...known, enum: column.values.map(({ name }) => name) };
  return { ...(column.notNull ? schema : orNull(schema)), description };
}

function described({ description, values }: CatalogColumn): string {
  if (values === null) return description;
  return [description, ...values.map((value) => `* \`${value.name}\`: ${value.description}`)].join("\n");
}

/** A list as platform.page makes it. */
function pageOf(item: string, description: string): Schema {
  return {
    description,
    ...objectOf(
      {
        items: { type: "array", items: ref(item), maxItems: 200 },
        total: {
          type: "integer",
          minimum: 0,
          maximum: 10_000,
          description: "How many there are on all pages: exact up to 10,000, and 10,000 beyond.",
        },
        limit: { type: "integer", minimum: 1, maximum: 200, description: "As asked for." },
        offset: { type: "integer", minimum: 0, maximum: 2_147_483_647, description: "As asked for." },
        total_capped: { type: "boolean", const: true, description: "There when there are more than 10,000." },
      },
      ["total_capped"],
    ),
  };
}

/** Where a secret is shown, this once. */
function withSecret(row: Schema): Schema {
  const secret: Schema = {
    type: "string",
    pattern: "^whsec_[A-Za-z0-9_-]{43}$",
    description:
      "The signing secret. Absent where an Idempotency-Key repeats an earlier request: it is never shown again.",
  };
  return { ...row, properties: { ...(row["properties"] as Record<string, Schema>), secret } };
}

/** The envelope that is delivered: message-webhooks §2. */
export function eventSchema({ type, data }: { readonly type: Schema; readonly data: Schema }): Schema {
  return {
    description: "Something that happened, as it is delivered.",
    ...objectOf({
      id: { type: "string", pattern: "^evt_[0-9a-f]{32}$", description: "The event; the same on every attempt." },
      type,
      version: { ...always("1"), description: "Of the envelope." },
      occurred_at: { ...INSTANT, description: "When it happened: UTC, with milliseconds." },
      tenant_id: { ...UUID, description: "The organization." },
      project_id: { ...UUID, description: "The organization's project of this environment." },
      resource_id: { ...UUID, description: "What it is about; of message events the message." },
      data,
    }),
  };
}

/** Only when one subject was asked for. */
function withChain(page: Schema): Schema {
  const properties = { ...(page["properties"] as Record<string, Schema>), chain: AUDIT_CHAIN };
  return { ...page, properties };
}
