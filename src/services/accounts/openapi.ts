import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { INSTANT, UUID } from "../../surfaces/openapi/members.ts";
import { objectOf, type Schema } from "../../surfaces/openapi/schema.ts";

const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });

const organization = {
  id: { ...UUID, description: "The organization." },
  number: { type: "integer", description: "Its number, for the paths of DNS." },
  name: text("Its name."),
};

const role = text("The role: `accountant`, `member`, `admin` or `owner`.");

export const accountsDescription: ApiDescription = {
  tags: {
    "Signing in":
      "An operator adds people with `selo user create`, which prints a link. With the link, a person sets a password, and then signs in. Who has forgotten the password asks for another link by mail.",
    Invitations:
      "A person is invited with GraphQL (`inviteMember`), and gets a mail with a link. The part of the link after `#` reads and accepts the invitation.",
  },
  changing: {
    // What a person's session sends with writes.
    csrf: /(?<="csrf_token":\s?")[\w-]{43}(?=")/,
    // Of passkeys.
    challenge: /(?<="challenge":\s?")[\w-]{75}(?=")/,
  },
  schemas: () => ({
    InvitationRead: {
      description: "An invitation, as its link shows it.",
      ...objectOf({
        organization: text("Name of the organization that invites."),
        email: text("E-mail address of the person who is invited."),
        role,
        known: { type: "boolean", description: "Whether the person has a password already, which accepting asks for." },
      }),
    },
    PasskeyOptions: {
      description: "What a browser needs to sign somebody in with a passkey.",
      ...objectOf({
        options: {
          type: "object",
          description: "PublicKeyCredentialRequestOptionsJSON of WebAuthn. Its challenge is good once, for 5 minutes.",
          additionalProperties: true,
        },
      }),
    },
    PasswordReset: {
      description: "Nothing: the answer does not tell whether somebody has the address.",
      ...objectOf({}),
    },
    Session: {
      description: "A session of a person.",
      ...objectOf({
        user: {
          description: "The person.",
          ...objectOf({
            id: { ...UUID, description: "The person, as the audit trail names it." },
            name: text("Name."),
            email: text("E-mail address."),
            language: text("Language tag of what the person reads."),
          }),
        },
        organization: { description: "The organization that the session acts for.", ...objectOf(organization) },
        role,
        scopes: { type: "array", items: { type: "string" }, description: "What the role may do." },
        organizations: {
          type: "array",
          description: "All organizations that the person belongs to, by name.",
          items: objectOf({ ...organization, role }),
        },
        second_factor: text(
          "The second factor that counts in this session: `none`, `totp` (an authenticator app), or `passkey`, which signed the person in or was added in this session. `missing`: there is none, and the organization demands one; until there is, `scopes` is empty.",
          { enum: ["none", "missing", "totp", "passkey"] },
        ),
        expires_at: { ...INSTANT, description: "When the session runs out (UTC)." },
        csrf_token: text(
          "What POST, PUT, PATCH and DELETE send as `X-CSRF-Token`: the value of the cookie `inv_csrf`.",
        ),
      }),
    },
  }),
};
