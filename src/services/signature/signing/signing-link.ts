import { createHash } from "node:crypto";
import { z } from "zod";
import type { PrepareMail } from "../../../surfaces/mail/mail-kind.ts";
import type { DataKey } from "../documents/data-key.ts";
import { DataKeys } from "../documents/data-keys.ts";

/** The part of a mail's data that names a signing link. */
export const linkData = z.object({ participant_id: z.uuid(), link_version: z.int().min(1) });

type LinkData = z.output<typeof linkData>;

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** The secret of a version of a participant's link: 43 characters, always the same under one data key. */
export function signingSecret(dataKey: DataKey, { participant_id, link_version }: LinkData): string {
  return dataKey.derive("signing-link", `${participant_id}:${link_version}`).toString("base64url");
}

/** What platform.credentials knows a secret by: the SHA-256 of its SHA-256. */
export const linkDigest = (secret: string): Buffer => sha256(sha256(secret));

/** The path of a signing link. The secret is in the fragment, which browsers do not send. */
const linkPath = (participantId: string, secret: string) => `/sign/${participantId}#${secret}`;

/** Opens the link and gives it to the words of a mail that asks the participant to act. A link of an earlier version is out of date. */
export const openLink: PrepareMail<LinkData, { readonly link: string }> = async (data, place, { jobs, masterKeys }) => {
  const secret = signingSecret(await new DataKeys(masterKeys).ofEnvironmentOrNew(jobs, place), data);
  const digest = linkDigest(secret).toString("hex");
  const { participant_id, link_version } = data;
  const bound = await jobs.call(place, "bind_signing_link", { participant_id, link_version, digest });
  return bound === null ? null : { link: linkPath(participant_id, secret) };
};

/** Gives the link to the words of a mail about the end: the link was opened before, and tells how the envelope ended. */
export const knownLink: PrepareMail<LinkData, { readonly link: string }> = async (
  data,
  place,
  { jobs, masterKeys },
) => {
  const secret = signingSecret(await new DataKeys(masterKeys).ofEnvironmentOrNew(jobs, place), data);
  return { link: linkPath(data.participant_id, secret) };
};
