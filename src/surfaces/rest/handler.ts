import type { FastifyRequest } from "fastify";
import type { Answer, Origin } from "../../postgres/call.ts";
import type { ReceiptServices } from "../../services/signature/operations/make-receipt.ts";
import type { ProofServices } from "../../services/signature/operations/register-proof.ts";
import type { WebhookServices } from "../../services/webhooks/operations/manage-endpoints.ts";

/** What handlers work with. */
export interface RestServices extends ProofServices, ReceiptServices, WebhookServices {
  /** PROOF_MAX_FILE_BYTES. */
  readonly proofMaxFileBytes: number;
}

/** A request whose shape is already checked. */
export interface RestRequest {
  readonly raw: FastifyRequest;
  /** Path without the query, as it was called. */
  readonly path: string;
  /** Null only on routes for anyone. */
  readonly credentialHash: Buffer | null;
  /** Path parameters, query and JSON body in one, as the command takes them; empty for multipart. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly isMultipart: boolean;
  readonly origin: Origin;
}

/** An answer that is a file. */
export interface FileAnswer {
  readonly status: 200;
  readonly file: Buffer;
  readonly contentType: string;
  /** Proposed to whoever saves it; ASCII. */
  readonly fileName: string;
}

export type RouteHandler = (services: RestServices, request: RestRequest) => Promise<Answer | FileAnswer>;
