import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";
import type { GraphqlContext } from "../../../surfaces/graphql/context.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import {
  createWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookRequester,
  webhookChanges,
  webhookInput,
} from "../operations/manage-endpoints.ts";
import type { WebhookParts } from "../parts.ts";
import { WebhookEndpoint } from "./references.ts";

const URL_WORDS =
  "Where events are posted: an https:// address that the whole internet reaches, port 443 or from 1024, up to 2,048 characters.";
const TYPES_WORDS = "Kinds of events: names, all of a group such as message.*, or * for all.";
const DESCRIPTION_WORDS = "Your own words; up to 500 characters.";

@InputType({ description: "An address that events are to be posted to." })
class CreateWebhookInput {
  @Field(() => String, { description: URL_WORDS })
  url!: string;

  @Field(() => [String], { description: TYPES_WORDS })
  eventTypes!: string[];

  @Field(() => String, { nullable: true, description: DESCRIPTION_WORDS })
  description?: string | null;
}

@InputType({ description: "What is to change of a webhook." })
class UpdateWebhookInput {
  @Field(() => String, { description: "The webhook, a UUID." })
  id!: string;

  @Field(() => String, { nullable: true, description: URL_WORDS })
  url?: string | null;

  @Field(() => [String], { nullable: true, description: TYPES_WORDS })
  eventTypes?: string[] | null;

  @Field(() => String, { nullable: true, description: `${DESCRIPTION_WORDS} Null removes it.` })
  description?: string | null;
}

@InputType({ description: "The webhook that is to have a new secret." })
class RotateWebhookSecretInput {
  @Field(() => String, { description: "The webhook, a UUID." })
  id!: string;
}

@ObjectType({ description: "A webhook with its secret, which is shown this once." })
class WebhookSecretPayload {
  @Field(() => WebhookEndpoint, { description: "The webhook." })
  webhook!: object;

  @Field(() => String, {
    nullable: true,
    description: "The signing secret: whsec_… Null where an Idempotency-Key repeats an earlier request.",
  })
  secret!: string | null;
}

@ObjectType({ description: "A webhook that was changed." })
class UpdateWebhookPayload {
  @Field(() => WebhookEndpoint, { description: "The webhook." })
  webhook!: object;
}

const identified = z.strictObject({ id: z.uuid("must be a UUID") });

@Resolver()
export class WebhookResolver {
  @Mutation(() => WebhookSecretPayload, {
    nullable: true,
    description: "Registers an address that events are posted to; up to 50 in each environment.",
  })
  async createWebhook(
    @Arg("input", () => CreateWebhookInput, { description: "What to register." }) input: CreateWebhookInput,
    @Ctx() context: GraphqlContext<WebhookParts>,
  ): Promise<WebhookSecretPayload> {
    const { eventTypes: event_types, ...rest } = input;
    const parsed = parseShape(webhookInput, { ...rest, event_types });
    return shown(context, await createWebhook(context.parts, requesterOf(context), parsed));
  }

  @Mutation(() => UpdateWebhookPayload, {
    nullable: true,
    description: "Changes what is given of a webhook; attempts from then on go to the new address.",
  })
  async updateWebhook(
    @Arg("input", () => UpdateWebhookInput, { description: "What to change." }) input: UpdateWebhookInput,
    @Ctx() context: GraphqlContext<WebhookParts>,
  ): Promise<UpdateWebhookPayload> {
    const { id } = parseShape(identified, { id: input.id });
    const changes = parseShape(webhookChanges, {
      url: input.url ?? undefined,
      event_types: input.eventTypes ?? undefined,
      description: input.description,
    });
    return shown(context, await updateWebhook(context.parts, requesterOf(context), id, changes));
  }

  @Mutation(() => WebhookSecretPayload, {
    nullable: true,
    description: "Gives a webhook a new secret, which signs at once; the one before signs too for 24 hours.",
  })
  async rotateWebhookSecret(
    @Arg("input", () => RotateWebhookSecretInput, { description: "Which webhook." }) input: RotateWebhookSecretInput,
    @Ctx() context: GraphqlContext<WebhookParts>,
  ): Promise<WebhookSecretPayload> {
    const { id } = parseShape(identified, { id: input.id });
    return shown(context, await rotateWebhookSecret(context.parts, requesterOf(context), id));
  }
}

function requesterOf(context: GraphqlContext<WebhookParts>): WebhookRequester {
  return {
    credentialHash: context.credential(),
    origin: context.origin,
    idempotency: context.idempotency(),
  };
}

function shown(context: GraphqlContext<WebhookParts>, answer: Answer): WebhookSecretPayload {
  const { secret = null, ...webhook } = (context.answered(answer) ?? {}) as { secret?: string };
  return { webhook, secret };
}
