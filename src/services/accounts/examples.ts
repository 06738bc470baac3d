import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../surfaces/openapi/examples/files.ts";
import { EXAMPLE_LINKS, EXAMPLE_PERSON, EXAMPLE_PERSON_WITH_APP } from "./examples-session.ts";

export const accountExamples: readonly ExampleRequest[] = [
  {
    operation: "signIn",
    name: "password",
    summary: "The right password",
    caller: "anyone",
    body: EXAMPLE_PERSON,
  },
  {
    operation: "signIn",
    name: "wrong_password",
    summary: "A wrong password",
    caller: "anyone",
    body: { ...EXAMPLE_PERSON, password: "another" },
  },
  {
    operation: "signIn",
    name: "second_factor_required",
    summary: "The right password of a person with an authenticator app, without a code",
    caller: "anyone",
    body: EXAMPLE_PERSON_WITH_APP,
  },
  { operation: "passkeyOptions", name: "options", summary: "Options for the browser", caller: "anyone" },
  {
    operation: "signInWithPasskey",
    name: "unknown",
    summary: "A passkey that nobody has",
    caller: "anyone",
    body: {
      response: {
        id: "A".repeat(22),
        rawId: "A".repeat(22),
        type: "public-key",
        response: {
          clientDataJSON: "e30",
          authenticatorData: "A".repeat(50),
          signature: "MAA",
          userHandle: "A".repeat(22),
        },
        clientExtensionResults: {},
      },
    },
  },
  { operation: "getSession", name: "session", summary: "The session", caller: "live" },
  {
    operation: "switchSession",
    name: "switched",
    summary: "To another organization of the person",
    caller: "test",
    body: { organization_id: "{getSession.session.organizations.1.id}" },
  },
  {
    operation: "switchSession",
    name: "unknown",
    summary: "An organization that the person does not belong to",
    caller: "live",
    body: { organization_id: UNKNOWN_ID },
  },
  { operation: "signOut", name: "signed_out", summary: "The session has ended", caller: "live" },
  {
    operation: "requestPasswordReset",
    name: "asked",
    summary: "The link is mailed, if somebody has the address",
    caller: "anyone",
    body: { email: EXAMPLE_PERSON.email },
  },
  {
    operation: "confirmPasswordReset",
    name: "unknown",
    summary: "A link that does not exist, or was used",
    caller: "anyone",
    body: { link: "A".repeat(43), password: EXAMPLE_PERSON.password },
  },
  {
    operation: "readInvitation",
    name: "invited",
    summary: "An invitation of a person who has no password yet",
    caller: "anyone",
    body: { link: EXAMPLE_LINKS.bruno },
  },
  {
    operation: "readInvitation",
    name: "unknown",
    summary: "A link that does not exist, or was used",
    caller: "anyone",
    body: { link: "A".repeat(43) },
  },
  {
    operation: "acceptInvitation",
    name: "accepted",
    summary: "A new person sets a password",
    caller: "anyone",
    body: { link: EXAMPLE_LINKS.bruno, password: "staple-orbit-lantern-42", name: "Bruno" },
  },
  {
    operation: "acceptInvitation",
    name: "second_factor_required",
    summary: "The right password of a person with an authenticator app, without a code",
    caller: "anyone",
    body: { link: EXAMPLE_LINKS.carla, password: EXAMPLE_PERSON_WITH_APP.password },
  },
  {
    operation: "acceptInvitation",
    name: "unknown",
    summary: "A link that does not exist, or was used",
    caller: "anyone",
    body: { link: "A".repeat(43), password: EXAMPLE_PERSON.password },
  },
];
