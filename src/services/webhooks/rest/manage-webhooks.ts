import { unauthenticated } from "../../../app-error.ts";
import { idempotencyOf } from "../../../surfaces/http/idempotency.ts";
import type { RestRequest, RouteHandler } from "../../../surfaces/rest/handler.ts";
import {
  createWebhook as create,
  rotateWebhookSecret as rotate,
  updateWebhook as update,
  type WebhookChanges,
  type WebhookInput,
  type WebhookRequester,
} from "../operations/manage-endpoints.ts";
import type { WebhookParts } from "../parts.ts";

/** POST /webhooks */
export const createWebhook: RouteHandler<WebhookParts> = (services, request) =>
  create(services, requesterOf(request), request.arguments as WebhookInput);

/** PATCH /webhooks/{id} */
export const updateWebhook: RouteHandler<WebhookParts> = (services, request) => {
  const { id, ...changes } = request.arguments as WebhookChanges & { readonly id: string };
  return update(services, requesterOf(request), id, changes);
};

/** POST /webhooks/{id}/rotate */
export const rotateWebhookSecret: RouteHandler<WebhookParts> = (services, request) =>
  rotate(services, requesterOf(request), request.arguments["id"] as string);

function requesterOf({ credentialHash, origin, path, raw, arguments: payload }: RestRequest): WebhookRequester {
  if (credentialHash === null) throw unauthenticated();
  return {
    credentialHash,
    origin,
    idempotency: idempotencyOf(raw.headers["idempotency-key"], raw.method, path, payload),
  };
}
