import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { readWebhookUrl } from "../../../adapters/outgoing-http/url-rules.ts";
import { invalidRequest } from "../../../app-error.ts";
import type { Answer, Idempotency, Origin } from "../../../postgres/call.ts";
import type { Database } from "../../../postgres/database.ts";
import { wireText } from "../../platform/wire-text.ts";
import { newEndpointId, newWebhookSecret, sealWebhookSecret } from "./secret.ts";

const url = wireText(2_048).meta({
  format: "uri",
  description:
    "Where events are posted: an https:// address that the whole internet reaches, port 443 or from 1024, up to 2,048 characters.",
});
const eventTypes = z
  .array(wireText(100))
  .min(1, "must name at least one kind of event")
  .max(1_000, "must have at most 1000 entries")
  .meta({ description: "Kinds of events: names, all of a group such as `message.*`, or `*` for all." });
const description = wireText(500)
  .nullish()
  .meta({ description: "Your own words; up to 500 characters, an empty text being none." });

export const webhookInput = z.strictObject({ url, event_types: eventTypes, description });
export const webhookChanges = z.strictObject({ url: url.optional(), event_types: eventTypes.optional(), description });
export type WebhookInput = z.output<typeof webhookInput>;
export type WebhookChanges = z.output<typeof webhookChanges>;

/** What managing endpoints needs. */
export interface WebhookServices {
  readonly database: Database;
  readonly masterKeys: MasterKeyring;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly webhookAllowLoopback: boolean;
}

/** Who asks, and by which request. */
export interface WebhookRequester {
  readonly credentialHash: Buffer;
  readonly origin: Origin;
  readonly idempotency: Idempotency | null;
}

/**
 * Registers an endpoint.
 * @returns 201 with the endpoint and its `secret`, which is shown this once; a repetition by Idempotency-Key is answered without it
 * @throws AppError 401, 403 missing_scope, 409 conflict (50 endpoints), 422 invalid_request
 */
export async function createWebhook(
  services: WebhookServices,
  requester: WebhookRequester,
  input: WebhookInput,
): Promise<Answer> {
  const address = checkedUrl(services, input.url);
  const id = newEndpointId();
  const secret = newWebhookSecret();
  const answer = await services.database.call({
    ...requester,
    command: "create_webhook",
    arguments: {
      ...withoutEmpty(input),
      id,
      url: address.url,
      is_loopback: address.isLoopback,
      sealed_secret: sealWebhookSecret(services.masterKeys, id, secret),
    },
    status: 201,
  });
  return withSecret(answer, secret);
}

/**
 * Changes what is given of an endpoint.
 * @throws AppError 401, 403 missing_scope, 404 not_found, 422 invalid_request
 */
export async function updateWebhook(
  services: WebhookServices,
  requester: WebhookRequester,
  id: string,
  changes: WebhookChanges,
): Promise<Answer> {
  const address = changes.url === undefined ? null : checkedUrl(services, changes.url);
  return services.database.call({
    ...requester,
    command: "update_webhook",
    arguments: {
      ...withoutEmpty(changes),
      id,
      ...(address === null ? {} : { url: address.url, is_loopback: address.isLoopback }),
    },
  });
}

/**
 * Gives an endpoint a new secret, which signs at once; the one before signs too for 24 hours.
 * @returns the endpoint with its new `secret`, which is shown this once
 * @throws AppError 401, 403 missing_scope, 404 not_found
 */
export async function rotateWebhookSecret(
  { database, masterKeys }: WebhookServices,
  requester: WebhookRequester,
  id: string,
): Promise<Answer> {
  const secret = newWebhookSecret();
  const sealed_secret = sealWebhookSecret(masterKeys, id, secret);
  const answer = await database.call({
    ...requester,
    command: "rotate_webhook_secret",
    arguments: { id, sealed_secret },
  });
  return withSecret(answer, secret);
}

/** An empty text is no description. */
function withoutEmpty<Input extends WebhookChanges>(input: Input): Input {
  return input.description === "" ? { ...input, description: null } : input;
}

function checkedUrl({ webhookAllowLoopback }: WebhookServices, text: string) {
  const address = readWebhookUrl(text, webhookAllowLoopback);
  if ("refused" in address) throw invalidRequest([{ field: "url", message: address.refused }]);
  return address;
}

/** What was answered before is answered without it: this secret was never kept. */
function withSecret(answer: Answer, secret: string): Answer {
  if (answer.replayed || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), secret }) };
}
