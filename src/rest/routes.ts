import { z } from "zod";
import { type CommandName, commands } from "../db/generated/commands.ts";
import { proofInput } from "../operations/signature/register-proof.ts";
import { wireText } from "../operations/wire-text.ts";
import type { RouteHandler } from "./handler.ts";
import { getReceipt } from "./signature/get-receipt.ts";
import { getPublicProof, verifyPublicProof } from "./signature/public-proof.ts";
import { registerProof } from "./signature/register-proof.ts";

/** One documented path. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below /api/v1, parameters in braces as the documents write them. */
  readonly path: string;
  /** The function in schema api or gateway that answers; it also says which scope is needed, see {@link scopeOf}. */
  readonly command: CommandName;
  /** Status of a success, where the command does not name one itself. */
  readonly status: number;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** True where the path also reads multipart/form-data. */
  readonly multipart?: boolean;
  /** Only for what needs TypeScript between two database calls; everything else is parse, call, answer. */
  readonly handle?: RouteHandler;
}

const id = z.strictObject({ id: z.uuid("must be a UUID") });
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(least).max(most));
/** Whatever cannot be a code is the code of no proof: 404 like any other that does not exist. */
const publicCode = z.string().transform((code) => (/^[\w-]{1,100}$/.test(code) ? code : ""));
const page = z.strictObject({
  limit: wholeNumber(1, 200).default(50),
  offset: wholeNumber(0, 2_147_483_647).default(0),
});

/** Every documented path on one page. */
export const routes: readonly Route[] = [
  // Proofs of existence: signature-service §4
  {
    method: "POST",
    path: "/proofs",
    command: "prepare_proofs",
    status: 201,
    body: proofInput,
    multipart: true,
    handle: registerProof,
  },
  {
    method: "GET",
    path: "/proofs",
    command: "list_proofs",
    status: 200,
    query: page.extend({ search: wireText(255).optional() }),
  },
  { method: "GET", path: "/proofs/{id}", command: "get_proof", status: 200, params: id },
  {
    method: "GET",
    path: "/proofs/{id}/receipt",
    command: "prepare_receipt",
    status: 200,
    params: id,
    handle: getReceipt,
  },
  // Proofs for the public
  {
    method: "GET",
    path: "/public/proofs/{code}",
    command: "find_public_proof",
    status: 200,
    params: z.strictObject({ code: publicCode }),
    handle: getPublicProof,
  },
  {
    method: "POST",
    path: "/public/proofs/verify",
    command: "find_proof_of_digest",
    status: 200,
    body: proofInput.pick({ sha256: true }),
    multipart: true,
    handle: verifyPublicProof,
  },
  { method: "GET", path: "/public/platform-key", command: "list_platform_keys", status: 200 },
];

/** The scope a route asks for, as its SQL function says; null when anyone may call it. */
export function scopeOf(route: Route): string | null {
  return commands[route.command].scope;
}
