import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";
import { CONTRACT_13, DIGEST, UNKNOWN_DIGEST } from "../../surfaces/openapi/examples/files.ts";

export const tokenExamples: readonly ExampleRequest[] = [
  { operation: "readMe", name: "live", summary: "A live token with all scopes", caller: "live" },
  { operation: "readMe", name: "one_scope", summary: "A live token with one scope", caller: "without_scope" },
];

export const billingExamples: readonly ExampleRequest[] = [
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
    summary: "A past year",
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

export const publicExamples: readonly ExampleRequest[] = [
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
    name: "no_match",
    summary: "A digest that nobody registered",
    caller: "anyone",
    body: { sha256: UNKNOWN_DIGEST },
  },
  {
    operation: "verifyPublicProof",
    name: "other_member",
    summary: "A member this request does not have",
    caller: "anyone",
    body: { digest: DIGEST },
  },
  {
    operation: "verifyPublicFile",
    name: "file",
    summary: "The file",
    caller: "anyone",
    form: { file: CONTRACT_13 },
  },
  {
    operation: "verifyPublicFile",
    name: "no_file",
    summary: "A form with a digest instead of the file",
    caller: "anyone",
    form: { fields: { sha256: DIGEST } },
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

export const auditExamples: readonly ExampleRequest[] = [
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
    summary: "An invalid time",
    caller: "live",
    path: "/audit?from=yesterday",
  },
];

export const testInboxExamples: readonly ExampleRequest[] = [
  {
    operation: "listTestInbox",
    name: "recipient",
    summary: "Mails to an address that received none",
    caller: "test",
    path: "/test-inbox?recipient=ana@example.org&limit=1",
  },
  { operation: "listTestInbox", name: "live_token", summary: "A live token", caller: "live" },
];
