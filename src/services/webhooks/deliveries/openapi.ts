import type { ReadRows } from "../../../surfaces/openapi/api-description.ts";
import type { RecordedExample } from "../../../surfaces/openapi/examples/recorded-example.ts";
import { always, EVENT_ID, INSTANT, UUID } from "../../../surfaces/openapi/members.ts";
import { objectOf, type Schema } from "../../../surfaces/openapi/schema.ts";

/** A kind of event. */
interface EventKind {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (2020-12) of its data. */
  readonly dataSchema: Readonly<Record<string, unknown>>;
}

/** The envelope of a delivery: message-webhooks §2. */
export function eventSchema({ type, data }: { readonly type: Schema; readonly data: Schema }): Schema {
  return {
    description: "An event, as it is delivered.",
    ...objectOf({
      id: { ...EVENT_ID, description: "The id of the event. It is the same on every attempt." },
      type,
      version: { ...always("1"), description: "Version of the envelope." },
      occurred_at: { ...INSTANT, description: "When the event happened, in UTC with milliseconds." },
      tenant_id: { ...UUID, description: "The organization." },
      project_id: { ...UUID, description: "The organization's project of this environment." },
      resource_id: {
        ...UUID,
        description: "The resource that the event is about. For message events, this is the message.",
      },
      data,
    }),
  };
}

/** `webhooks` of OpenAPI 3.1: the deliveries to subscribed addresses, one entry for each kind of event. */
export async function deliveries(
  read: ReadRows,
  recorded: readonly RecordedExample[],
): Promise<Record<string, object>> {
  const eventKinds = await read<EventKind>(
    // Kinds that nothing sends yet stand last; their descriptions say so.
    `select name, description, data_schema as "dataSchema" from webhooks.event_kinds
     order by description like '%nothing sends it yet.', name collate "C"`,
  );
  return Object.fromEntries(eventKinds.map((kind) => [kind.name, { post: delivery(kind, eventOf(kind, recorded)) }]));
}

function delivery({ name, description, dataSchema }: EventKind, example: unknown): object {
  const schema = eventSchema({
    type: { type: "string", const: name, description: "The kind of event." },
    data: dataSchema,
  });
  return {
    // proof.registered → onProofRegistered
    operationId: `on${name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: name,
    description,
    // Deliveries are signed, not authenticated: see the headers.
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
    },
    responses: {
      "2XX": { description: "Accepted: any 2xx status within 15 seconds." },
      "410": { description: "The webhook is disabled at once." },
      "429": { description: RETRIED },
      "503": { description: RETRIED },
      default: {
        description:
          "Not accepted, including redirects. The delivery is retried on the schedule in the description of Webhooks.",
      },
    },
  };
}

const RETRIED = "Retried, not before the time in `Retry-After` (at most 24 hours).";

/** Headers of a delivery, except Content-Type, which the body's description has: sign.ts. */
export const webhookHeaders: Readonly<Record<string, object>> = {
  "User-Agent": {
    name: "User-Agent",
    in: "header",
    description: "The sender of the delivery.",
    required: true,
    schema: { type: "string", const: "Selo-Webhooks/1" },
  },
  "X-Webhook-Id": {
    name: "X-Webhook-Id",
    in: "header",
    description: "The id of the event. It is the same on every attempt, so the receiver can recognise a repetition.",
    required: true,
    schema: EVENT_ID,
  },
  "X-Webhook-Attempt": {
    name: "X-Webhook-Attempt",
    in: "header",
    description: "Number of this attempt of the delivery: 1, 2, 3 and so on.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "X-Webhook-Timestamp": {
    name: "X-Webhook-Timestamp",
    in: "header",
    description: "When this attempt was signed, in Unix seconds: refuse a time more than 300 seconds away.",
    required: true,
    schema: { type: "string", pattern: "^\\d+$" },
  },
  "X-Webhook-Signature": {
    name: "X-Webhook-Signature",
    in: "header",
    description:
      "`v1=` and the hexadecimal HMAC-SHA-256 of `{X-Webhook-Timestamp}.{raw body}`, keyed by the UTF-8 bytes of the whole secret.",
    required: true,
    schema: { type: "string", pattern: "^v1=[0-9a-f]{64}$" },
  },
  "X-Webhook-Signature-Previous": {
    name: "X-Webhook-Signature-Previous",
    in: "header",
    description: "The same signature made with the previous secret, for 24 hours after a rotation.",
    required: false,
    schema: { type: "string", pattern: "^v1=[0-9a-f]{64}$" },
  },
};

/** An event of this kind from a recorded example. */
function eventOf({ name }: EventKind, recorded: readonly RecordedExample[]): unknown {
  return recorded
    .filter(({ operation, status }) => status === 200 && (operation === "getEvent" || operation === "listEvents"))
    .flatMap(({ answer }) => (answer as { readonly items?: readonly unknown[] }).items ?? [answer])
    .find((event) => (event as { readonly type?: unknown }).type === name);
}
