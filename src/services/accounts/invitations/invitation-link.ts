import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { PrepareMail } from "../../../surfaces/mail/mail-kind.ts";
import { linkSha256 } from "../sign-in/password-link.ts";

/** The path of an invitation's link. The secret is in the fragment, which browsers do not send. */
const invitationPath = (secret: string): string => `/app/invitation#${secret}`;

const nameOf = (linkId: string) => `invitation ${linkId}`;

/** A new link of an invitation, as the database gets it: never the secret, which the worker that composes the mail derives again. */
export function newInvitationLink(masterKeys: MasterKeyring): {
  readonly link_id: string;
  readonly link_sha256: string;
} {
  const link_id = randomUUID();
  return { link_id, link_sha256: linkSha256(masterKeys.derive(nameOf(link_id)).toString("base64url")) };
}

/** The part of a mail's data that names an invitation and its link. */
export const invitationLink = z.object({ invitation_id: z.uuid(), link_id: z.uuid() });

/** Opens the link of an invitation's mail and gives its path to the words. The link of a mail that is composed again is the same. */
export const openInvitation: PrepareMail<z.output<typeof invitationLink>, { readonly link: string }> = async (
  { invitation_id, link_id },
  place,
  { jobs, masterKeys },
) => {
  // While the master key is being replaced, the gateway may have derived the secret from another one.
  for (const bytes of masterKeys.deriveAll(nameOf(link_id))) {
    const secret = bytes.toString("base64url");
    const opened = await jobs.call(place, "open_invitation", {
      invitation_id,
      link_id,
      link_sha256: linkSha256(secret),
    });
    if (opened !== null) return { link: invitationPath(secret) };
  }
  return null;
};
