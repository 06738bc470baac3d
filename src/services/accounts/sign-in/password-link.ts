import { hash, randomBytes } from "node:crypto";

/** The SHA-256 of a link's secret, in hexadecimal. The database gets this digest and never the secret. */
export const linkSha256 = (secret: string): string => hash("sha256", secret, "hex");

/** A new link: 256 random bits, drawn here and not injected, because who foresees them sets the password of another. */
export const newLinkSecret = (): string => randomBytes(32).toString("base64url");

/** The address of a link. The secret is in the fragment, which browsers do not send. */
export const passwordLink = (publicUrl: string, secret: string): string => `${publicUrl}/app/welcome#${secret}`;
