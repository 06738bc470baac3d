/** Who sends an example's request. Whoever executes examples makes each of them. */
export const callers = {
  live: "With a live token of all scopes.",
  test: "With a test token of all scopes, of the same organization.",
  without_scope: "With a live token whose only scope is labels:read.",
  without_credits: "With a live token of all scopes, of an organization that has no credit.",
  anyone: "Without a token.",
  over_limit: "Without a token, from an address that has used up its requests of this minute.",
} as const;

export type Caller = keyof typeof callers;

/** A request whose real answer stands in schema/openapi.json. Executed in this order: later ones build on earlier ones. */
export interface ExampleRequest {
  readonly operation: string;
  /** Unique within the operation. */
  readonly name: string;
  readonly summary: string;
  readonly caller: Caller;
  /** Below /api/v1, with `{operation.example.member}` for what an earlier answer held. The route's own path by default. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: object | string;
  /** Sent as multipart/form-data. */
  readonly form?: ExampleForm;
}

export interface ExampleForm {
  readonly file?: { readonly name: string; readonly text: string };
  readonly fields?: Readonly<Record<string, string>>;
}

const DIGEST = "f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2";
const UNKNOWN_DIGEST = "0".repeat(64);
const UNKNOWN_ID = "0197a0c0-0000-7000-8000-000000000000";
const JSON_TYPE = { "Content-Type": "application/json" };

const CONTRACT_12 = { sha256: DIGEST, label: "Contract 12", file_name: "contract-12.pdf", file_size: 48_213 };
const CONTRACT_13 = { name: "contract-13.txt", text: "Contract 13 between Acme Ltda. and Beta S.A.\n" };

const proofs: readonly ExampleRequest[] = [
  {
    operation: "registerProof",
    name: "digest",
    summary: "The digest of a file that stays where it is",
    caller: "live",
    headers: { "Idempotency-Key": "contract-12" },
    body: CONTRACT_12,
  },
  {
    operation: "registerProof",
    name: "file",
    summary: "A file",
    caller: "live",
    form: { file: CONTRACT_13, fields: { label: "Contract 13" } },
  },
  {
    operation: "registerProof",
    name: "same_request_again",
    summary: "The same Idempotency-Key again: the answer the first request got",
    caller: "live",
    headers: { "Idempotency-Key": "contract-12" },
    body: CONTRACT_12,
  },
  {
    operation: "registerProof",
    name: "registered_before",
    summary: "The same digest again: the earlier proof, and no credit is taken",
    caller: "live",
    body: { sha256: DIGEST },
  },
  {
    operation: "registerProof",
    name: "other_request_with_same_key",
    summary: "The same Idempotency-Key with another request",
    caller: "live",
    headers: { "Idempotency-Key": "contract-12" },
    body: { sha256: UNKNOWN_DIGEST },
  },
  {
    operation: "registerProof",
    name: "no_credit",
    summary: "No signature credit is left",
    caller: "without_credits",
    body: { sha256: UNKNOWN_DIGEST },
  },
  {
    operation: "registerProof",
    name: "wrong_members",
    summary: "A digest that is none, and a member this request does not have",
    caller: "live",
    body: { sha256: "F2CA1BB6", title: "Contract 12" },
  },
  {
    operation: "registerProof",
    name: "broken_json",
    summary: "JSON that breaks off",
    caller: "live",
    headers: JSON_TYPE,
    body: '{"sha256": "f2ca1bb6',
  },
  {
    operation: "registerProof",
    name: "other_content_type",
    summary: "A body that is neither JSON nor a form",
    caller: "live",
    headers: { "Content-Type": "text/plain" },
    body: DIGEST,
  },
  {
    operation: "listProofs",
    name: "search",
    summary: "The newest proof whose label or file name contains a text",
    caller: "live",
    path: "/proofs?search=contract&limit=1&offset=0",
  },
  {
    operation: "listProofs",
    name: "other_environment",
    summary: "The test environment, which sees nothing of the live one",
    caller: "test",
  },
  {
    operation: "listProofs",
    name: "over_a_limit",
    summary: "More than a page has",
    caller: "live",
    path: "/proofs?limit=201",
  },
  {
    operation: "getProof",
    name: "proof",
    summary: "A proof",
    caller: "live",
    path: "/proofs/{registerProof.digest.id}",
  },
  {
    operation: "getProof",
    name: "other_environment",
    summary: "A live proof, asked for with a test token",
    caller: "test",
    path: "/proofs/{registerProof.digest.id}",
  },
  { operation: "getProof", name: "no_uuid", summary: "An id that is none", caller: "live", path: "/proofs/12" },
  {
    operation: "getReceipt",
    name: "receipt",
    summary: "The receipt",
    caller: "live",
    path: "/proofs/{registerProof.digest.id}/receipt",
  },
  {
    operation: "getReceipt",
    name: "no_such_proof",
    summary: "An id that no proof has",
    caller: "live",
    path: `/proofs/${UNKNOWN_ID}/receipt`,
  },
];

const billing: readonly ExampleRequest[] = [
  { operation: "getCreditBalances", name: "balances", summary: "Both balances", caller: "live" },
  {
    operation: "getCreditBalances",
    name: "other_environment",
    summary: "With a test token: the balances are the organization's",
    caller: "test",
  },
  {
    operation: "getCreditUsage",
    name: "last_days",
    summary: "The last 30 days",
    caller: "live",
  },
  {
    operation: "getCreditUsage",
    name: "period_without_movements",
    summary: "A year long ago",
    caller: "live",
    path: "/billing/usage?from=2020-01-01&to=2020-12-31",
  },
  {
    operation: "getCreditUsage",
    name: "over_a_limit",
    summary: "More than 366 days",
    caller: "live",
    path: "/billing/usage?from=2020-01-01&to=2021-01-01",
  },
  { operation: "getBillingPlan", name: "plan", summary: "The free plan", caller: "live" },
];

const publicVerification: readonly ExampleRequest[] = [
  {
    operation: "getPublicProof",
    name: "code",
    summary: "The code of a proof",
    caller: "anyone",
    path: "/public/proofs/{registerProof.digest.verification_code}",
  },
  {
    operation: "getPublicProof",
    name: "no_such_code",
    summary: "A code that no proof has",
    caller: "anyone",
    path: "/public/proofs/0000-0000-0000",
  },
  {
    operation: "verifyPublicProof",
    name: "digest",
    summary: "The digest of the file",
    caller: "anyone",
    body: { sha256: DIGEST },
  },
  {
    operation: "verifyPublicProof",
    name: "file",
    summary: "The file",
    caller: "anyone",
    form: { file: CONTRACT_13 },
  },
  {
    operation: "verifyPublicProof",
    name: "no_match",
    summary: "A digest that nobody registered",
    caller: "anyone",
    body: { sha256: UNKNOWN_DIGEST },
  },
  {
    operation: "verifyPublicProof",
    name: "neither",
    summary: "A form with neither a file nor a digest",
    caller: "anyone",
    form: { fields: { digest: DIGEST } },
  },
  { operation: "listPlatformKeys", name: "keys", summary: "All keys", caller: "anyone" },
  {
    operation: "listPlatformKeys",
    name: "unknown_parameter",
    summary: "A query parameter this path does not have",
    caller: "anyone",
    path: "/public/platform-key?environment=live",
  },
];

const auditTrail: readonly ExampleRequest[] = [
  {
    operation: "listAuditSeals",
    name: "seals",
    summary: "The newest seal",
    caller: "anyone",
    path: "/public/audit-seals?limit=1",
  },
  {
    operation: "listAuditEvents",
    name: "proof",
    summary: "What was done about one proof, with the state of its chain",
    caller: "live",
    path: "/audit?subject_id={registerProof.digest.id}",
  },
  {
    operation: "listAuditEvents",
    name: "action",
    summary: "The newest registration of a proof",
    caller: "live",
    path: "/audit?action=proof.registered&limit=1",
  },
  {
    operation: "listAuditEvents",
    name: "no_time",
    summary: "A time that is none",
    caller: "live",
    path: "/audit?from=yesterday",
  },
];

/** Every example but the refusals that all operations share. */
export const examples: readonly ExampleRequest[] = [...proofs, ...billing, ...publicVerification, ...auditTrail];

/** An operation's first example, sent by somebody who may not. */
export function refusals(first: ExampleRequest, needsToken: boolean): ExampleRequest[] {
  const refused = (name: string, summary: string, caller: Caller): ExampleRequest => ({
    ...first,
    name,
    summary,
    caller,
  });
  return needsToken
    ? [
        refused("no_token", "Without a token", "anyone"),
        refused("missing_scope", "With a token that lacks the scope", "without_scope"),
      ]
    : [refused("too_many_requests", "From an address that has used up its requests of this minute", "over_limit")];
}
