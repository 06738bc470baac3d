import { z } from "zod";
import { type CommandName, commands } from "../db/generated/commands.ts";
import { proofInput } from "../operations/signature/register-proof.ts";
import { wireText } from "../operations/wire-text.ts";
import type { RouteHandler } from "./handler.ts";
import type { TagName } from "./openapi/prose.ts";
import type { ResourceName } from "./openapi/resources.ts";
import { getReceipt } from "./signature/get-receipt.ts";
import { getPublicProof, verifyPublicProof } from "./signature/public-proof.ts";
import { registerProof } from "./signature/register-proof.ts";

/** One documented path: what it does, and what schema/openapi.json says about it beyond what follows from that. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below /api/v1, parameters in braces as the documents write them. */
  readonly path: string;
  /** Its name in generated clients. */
  readonly operation: string;
  readonly tag: TagName;
  readonly summary: string;
  /** CommonMark, where the summary is not enough. */
  readonly description?: string;
  /** The function in schema api or gateway that answers; it also says which scope is needed, see {@link scopeOf}. */
  readonly command: CommandName;
  /** Status of a success, where the command does not name one itself. */
  readonly status: number;
  /** What a success holds. */
  readonly answers: Answers;
  /** Error codes beyond those that follow from its shape, see openapi/errors.ts. */
  readonly errors?: readonly string[];
  /** True where the command only reads, but the handler then makes a second call, which writes; see {@link writes}. */
  readonly writesLater?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Where the path also reads multipart/form-data: a file under `file`, and these fields. */
  readonly multipart?: Form;
  /** Only for what needs TypeScript between two database calls; everything else is parse, call, answer. */
  readonly handle?: RouteHandler;
}

type Answers =
  /** JSON of a schema; `statuses` where there are several, with what each means. */
  | { readonly schema: ResourceName; readonly statuses?: Readonly<Record<number, string>> }
  | { readonly file: "application/pdf"; readonly description: string };

export interface Form {
  readonly fields: z.ZodObject;
  /** Whether the fields stand beside the file or in its place. */
  readonly with: "fields beside the file" | "the file or the fields";
}

const proofId = z.strictObject({ id: z.uuid("must be a UUID").meta({ description: "The proof." }) });
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(least).max(most));
/** Whatever cannot be a code is the code of no proof: 404 like any other that does not exist. */
const publicCode = z
  .string()
  .transform((code) => (/^[\w\s\p{Dash}]+$/u.test(code) ? code : ""))
  .meta({
    type: "string",
    description: "XXXX-XXXX-XXXX, in whatever case, with or without the hyphens, or with spaces.",
  });
const page = z.strictObject({
  limit: wholeNumber(1, 200).default(50).meta({ description: "How many at most." }),
  offset: wholeNumber(0, 2_147_483_647).default(0).meta({ description: "How many to skip." }),
});
const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with offset" })
  .refine((text) => !text.startsWith("0000"), "must be a time after the year 0");
const auditFilter = page.extend({
  subject_type: wireText(64)
    .optional()
    .meta({ description: "Only events about this kind of subject, such as `proof`." }),
  subject_id: z.uuid("must be a UUID").optional().meta({
    description: "Only events about this subject; the answer then also has the state of its chain.",
  }),
  action: wireText(129).optional().meta({ description: "Only this action, such as `proof.registered`." }),
  actor_id: z.uuid("must be a UUID").optional().meta({ description: "Only what this token did." }),
  from: instant.optional().meta({ description: "Only events at or after this instant." }),
  to: instant.optional().meta({ description: "Only events before this instant." }),
});
const digest = proofInput.pick({ sha256: true });
const day = z.iso
  .date("must be a date such as 2026-11-20")
  .refine((text) => text >= "0001", "must be a date of our era");

/** Every documented path on one page. */
export const routes: readonly Route[] = [
  // Proofs of existence: signature-service §4
  {
    method: "POST",
    path: "/proofs",
    operation: "registerProof",
    tag: "Proofs of existence",
    summary: "Register a digest or a file",
    description:
      "Send the SHA-256 digest as JSON, and the file never leaves the house; or send the file as multipart/form-data: it is " +
      "hashed as it arrives and not kept. A new proof takes one signature credit in the live environment. " +
      "A digest that the organization registered before answers 200 with the earlier proof, and takes none.",
    command: "prepare_proofs",
    writesLater: true,
    status: 201,
    answers: {
      schema: "Proof",
      statuses: {
        201: "A new proof; `created` is true.",
        200: "The organization registered this digest before: the earlier proof, with `created` false.",
      },
    },
    errors: ["insufficient_credits", "clock_behind"],
    body: proofInput,
    multipart: { fields: proofInput.pick({ label: true }), with: "fields beside the file" },
    handle: registerProof,
  },
  {
    method: "GET",
    path: "/proofs",
    operation: "listProofs",
    tag: "Proofs of existence",
    summary: "List or search proofs, newest first",
    command: "list_proofs",
    status: 200,
    answers: { schema: "ProofPage" },
    query: page.extend({
      search: wireText(255).optional().meta({
        description:
          "Only proofs whose digest starts with this, or whose label or file name contains it, whatever the case.",
      }),
    }),
  },
  {
    method: "GET",
    path: "/proofs/{id}",
    operation: "getProof",
    tag: "Proofs of existence",
    summary: "Read a proof",
    command: "get_proof",
    status: 200,
    answers: { schema: "Proof" },
    errors: ["not_found"],
    params: proofId,
  },
  {
    method: "GET",
    path: "/proofs/{id}/receipt",
    operation: "getReceipt",
    tag: "Proofs of existence",
    summary: "Download the receipt of a proof",
    description:
      "A PDF to hand on, made anew each time: digest, instant (in the organization's time zone and in UTC), verification " +
      "code, QR code, key ids, the canonical payload, and how to check it. Its attachment `evidence.json` holds all that " +
      "checking it offline needs.",
    command: "prepare_receipt",
    status: 200,
    answers: { file: "application/pdf", description: "The receipt." },
    errors: ["not_found"],
    params: proofId,
    handle: getReceipt,
  },
  // Billing: signature-service §7, billing:read
  {
    method: "GET",
    path: "/billing/balance",
    operation: "getCreditBalances",
    tag: "Billing",
    summary: "Read the credit balances",
    command: "billing_balance",
    status: 200,
    answers: { schema: "CreditBalances" },
  },
  {
    method: "GET",
    path: "/billing/usage",
    operation: "getCreditUsage",
    tag: "Billing",
    summary: "Read what was granted and consumed, by day",
    description:
      "A row for each day (in UTC), kind and reason that had movements, oldest first. A period has at most 366 days; " +
      "without dates it is the last 30, today included.",
    command: "billing_usage",
    status: 200,
    answers: { schema: "CreditUsage" },
    query: z.strictObject({
      from: day.optional().meta({ description: "The first day, in UTC; 29 days before `to` by default." }),
      to: day.optional().meta({ description: "The last day, in UTC, itself included; today by default." }),
    }),
  },
  {
    method: "GET",
    path: "/billing/plan",
    operation: "getBillingPlan",
    tag: "Billing",
    summary: "Read the plan and what it includes",
    command: "billing_plan",
    status: 200,
    answers: { schema: "BillingPlan" },
  },
  // Proofs for the public
  {
    method: "GET",
    path: "/public/proofs/{code}",
    operation: "getPublicProof",
    tag: "Public verification",
    summary: "Look a proof up by its verification code",
    description: "Both signatures are verified again, now, against the registry of platform keys.",
    command: "find_public_proof",
    status: 200,
    answers: { schema: "VerifiedProof" },
    errors: ["proof_not_found"],
    params: z.strictObject({ code: publicCode }),
    handle: getPublicProof,
  },
  {
    method: "POST",
    path: "/public/proofs/verify",
    operation: "verifyPublicProof",
    tag: "Public verification",
    summary: "Find the earliest proof of a digest or a file",
    description:
      "Looks among the live proofs of all organizations; where several registered the same digest, the earliest is " +
      "answered. A file is hashed as it arrives and not kept. Nothing is written.",
    command: "find_proof_of_digest",
    status: 200,
    answers: { schema: "VerifiedProof" },
    errors: ["proof_not_found"],
    body: digest,
    multipart: { fields: digest, with: "the file or the fields" },
    handle: verifyPublicProof,
  },
  {
    method: "GET",
    path: "/public/platform-key",
    operation: "listPlatformKeys",
    tag: "Public verification",
    summary: "List the platform's public keys",
    description: "Every key that ever sealed evidence, retired ones included, so that old proofs stay verifiable.",
    command: "list_platform_keys",
    status: 200,
    answers: { schema: "PlatformKeys" },
  },
  {
    method: "GET",
    path: "/public/audit-seals",
    operation: "listAuditSeals",
    tag: "Public verification",
    summary: "List the seals of the audit trail, newest first",
    description:
      "Each is the Merkle root of all chain heads of the audit trail, of all organizations, signed with both platform keys. Who " +
      "keeps copies notices when anything that they cover is rewritten later.",
    command: "list_audit_seals",
    status: 200,
    answers: { schema: "AuditSealPage" },
    query: page,
  },
  // The audit trail
  {
    method: "GET",
    path: "/audit",
    operation: "listAuditEvents",
    tag: "Audit trail",
    summary: "List what was written, newest first",
    command: "list_audit_events",
    status: 200,
    answers: { schema: "AuditEventPage" },
    query: auditFilter,
  },
];

/** The scope a route asks for, as its SQL function says; null when anyone may call it. */
export function scopeOf(route: Route): string | null {
  return commands[route.command].scope;
}

/** Whether a route writes, and so takes an Idempotency-Key. */
export function writes(route: Route): boolean {
  return commands[route.command].writes || route.writesLater === true;
}
