import { randomBytes } from "node:crypto";
import { z } from "zod";
import { wireText } from "../../../surfaces/wire-text.ts";

/** A passkey, as its person sees it. */
export const shownPasskey = z
  .object({
    id: z.uuid().meta({ description: "The passkey." }),
    name: z.string().meta({ description: "What you call it." }),
    created_at: z.iso.datetime().meta({ description: "When it was added (UTC)." }),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When it last signed you in (UTC). Null before the first time." }),
  })
  .meta({
    title: "Passkey",
    description: "A passkey: a key of a device, which signs its person in without a password.",
  });

/** What SQL makes a challenge of: 16 random bytes, drawn here. */
export const newNonce = (): string => randomBytes(16).toString("hex");

/** As large as the answers of devices with a long certificate are. */
const base64url = wireText(20_000);

/** The answer of `navigator.credentials.get`, as `toJSON` makes it (AuthenticationResponseJSON). */
export const signatureResponse = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

/** The answer of `navigator.credentials.create`, as `toJSON` makes it (RegistrationResponseJSON). */
export const madeResponse = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(wireText(100)).max(20).optional(),
  }),
});
