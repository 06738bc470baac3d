import { z } from "zod";
import { type Person, ProviderFailed } from "../../../adapters/identity/contracts.ts";
import { AppError, unavailable } from "../../../errors/app-error.ts";
import type { Work } from "../../../surfaces/operation.ts";
import type { DataKey } from "../documents/data-key.ts";
import { numberDigest, openNumber } from "../envelopes/personal-numbers.ts";
import type { SignatureParts } from "../parts.ts";

/** The answer of gateway.prepare_factor: all that a second factor is compared with. */
export const preparedFactor = z.object({
  participant_id: z.uuid(),
  link_version: z.int(),
  method: z.enum(["cpf", "kba", "identity_match"]),
  has_passed: z.boolean(),
  tries_left: z.int(),
  environment: z.enum(["live", "test"]),
  name: z.string(),
  /** The number whose digest passes. */
  number: z.enum(["cpf", "ssn_last4"]),
  enciphered_cpf: z.base64().nullable(),
  enciphered_ssn_last4: z.base64().nullable(),
});
export type PreparedFactor = z.output<typeof preparedFactor>;

/** Whom a provider is asked about, as the sender of the envelope named the participant. */
export const personOf = (key: DataKey, factor: PreparedFactor): Person => ({
  name: factor.name,
  cpf: openNumber(key, "cpf", factor.enciphered_cpf, factor.participant_id),
  ssn_last4: openNumber(key, "ssn_last4", factor.enciphered_ssn_last4, factor.participant_id),
});

/** The digest by which SQL knows that a holder of the data key has asked the provider about this participant. */
export function provenDigest(key: DataKey, factor: PreparedFactor): string {
  const { number, participant_id } = factor;
  return numberDigest(key, number, personOf(key, factor)[number] ?? "", participant_id);
}

/** The provider, which an envelope with this method needs. @throws AppError 503 unavailable where the deployment has none any more */
export function required<Provider>(provider: Provider | null): Provider {
  if (provider === null) throw unavailable(new ProviderFailed("the deployment has no provider for this method"));
  return provider;
}

/** Answers 503 where a provider failed. */
export const providerRefusal = (error: unknown): unknown =>
  error instanceof ProviderFailed ? unavailable(error) : error;

export const nothingOpen = (message: string): AppError => new AppError(409, "conflict", message);

type Apart = "open_factor" | "count_factor_try" | "refuse_factor";

/** Calls of their own transactions, without an Idempotency-Key: each counts. */
export const callsApart =
  ({ parts, requester }: Pick<Work<SignatureParts>, "parts" | "requester">, participant_id: string) =>
  async (command: Apart, given: object = {}): Promise<unknown> => {
    const { credentialHash, origin, ofHeaders } = requester;
    const session = command === "refuse_factor" ? {} : { session_sha256: ofHeaders?.["session_sha256"] ?? null };
    const { body } = await parts.database.call({
      credentialHash,
      origin,
      command,
      arguments: { participant_id, ...session, ...given },
    });
    return JSON.parse(body ?? "null");
  };
