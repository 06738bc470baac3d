import { hash, randomBytes } from "node:crypto";

/** What the database is told of a link, whatever its form: hexadecimal. */
export const linkSha256 = (secret: string): string => hash("sha256", secret, "hex");

/** A new link: 256 random bits, drawn here and not injected, because who foresees them sets the password of another. */
export const newLinkSecret = (): string => randomBytes(32).toString("base64url");

/** The address of a link. The secret is in the fragment, which browsers do not send. */
export const passwordLink = (publicUrl: string, secret: string): string => `${publicUrl}/app/welcome#${secret}`;
