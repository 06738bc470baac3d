import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { mailInstant, type PrepareMail } from "../../../surfaces/mail/mail-kind.ts";

/** The SHA-256 of a link's secret, in hexadecimal. The database gets this digest and never the secret. */
export const linkSha256 = (secret: string): string => hash("sha256", secret, "hex");

/** A new link: 256 random bits, drawn here and not injected, because who foresees them sets the password of another. */
export const newLinkSecret = (): string => randomBytes(32).toString("base64url");

/** The path of a link. The secret is in the fragment, which browsers do not send. */
export const passwordLinkPath = (secret: string): string => `/app/welcome#${secret}`;

/** The part of a mail's data that names a link. */
export const mailedLink = z.object({ link_id: z.uuid(), expires_at: mailInstant });

const nameOf = (linkId: string) => `password-link ${linkId}`;

/** The secret of a link that goes by mail. No row holds it: the gateway that keeps its digest and the worker that composes the mail both derive it. */
export const mailedLinkSecret = (masterKeys: MasterKeyring, linkId: string): string =>
  masterKeys.derive(nameOf(linkId)).toString("base64url");

/** Opens the link of a mail and gives its path to the words. The link of a mail that is composed again is the same. */
export const openMailedLink: PrepareMail<z.output<typeof mailedLink>, { readonly link: string }> = async (
  { link_id },
  place,
  { jobs, masterKeys },
) => {
  // While the master key is being replaced, the gateway may have derived the secret from another one.
  for (const bytes of masterKeys.deriveAll(nameOf(link_id))) {
    const secret = bytes.toString("base64url");
    const opened = await jobs.call(place, "open_password_link", { link_id, link_sha256: linkSha256(secret) });
    if (opened !== null) return { link: passwordLinkPath(secret) };
  }
  return null;
};
