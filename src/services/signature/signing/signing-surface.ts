import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../../errors/app-error.ts";
import type { LimitForm } from "../../../surfaces/http/limits.ts";
import { commonLimits } from "../../../surfaces/http/limits.ts";
import { apiV1 } from "../../../surfaces/rest/api-v1.ts";
import type { DescribedSurface } from "../../../surfaces/rest/surface.ts";

/** 32 bytes as base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A link that is unknown, revoked, forged, malformed or of another participant: always the same. SQL says it in the same words. */
const noSuchLink = () => new AppError(404, "not_found", "There is no such signing link.");

const limits: LimitForm = {
  headers: commonLimits.headers,
  refusal: ({ policy, seconds }) =>
    `Too many requests ${policy === "token" ? "with this link" : "from this address"}; come back in ${seconds} s.`,
};

/** SHA-256 of the session's token, in hexadecimal, as commands take it. */
export const sessionDigest = (token: string): string => hash("sha256", token, "hex");

const sessionOf = ({ "x-signing-session": token }: IncomingHttpHeaders) => ({
  session_sha256: typeof token === "string" && SECRET.test(token) ? sessionDigest(token) : null,
});

const INTRODUCTION = `The API that the signing page uses for a participant. The link in a participant's mail is \`https://…/sign/{participant_id}#{secret}\`: browsers do not send the part after \`#\`, so no log and no proxy sees the secret. The page sends it as \`X-Signing-Link\`.

1. \`GET /{participant_id}\` says what the link is for. It changes nothing, because mail scanners open links.
2. \`POST /{participant_id}/code\` sends a one-time code to the participant, by mail or SMS.
3. \`POST /{participant_id}/session\` takes the code and returns the token of a session of 60 minutes. Requests then send it as \`X-Signing-Session\`.
4. Where \`next\` of the session is a second factor, \`/{participant_id}/factor\` asks and takes it. Until then the other paths return 403 \`factor_required\`.
5. With the session, \`GET /{participant_id}\` also returns documents and fields. The other paths record what the participant does.

A link that is unknown, revoked or of another participant returns 404 \`not_found\`. A session that is missing, unknown or over returns 401 \`session_expired\`. Errors, limits and repeated requests work as in the [main API](/docs).`;

/** The API of signing links: what a participant does, without an account and without a token. */
export const signingSurface: DescribedSurface = {
  prefix: "/api/v1/signing",
  errors: { ...apiV1.errors, challenge: "Signing-Session" },
  lists: apiV1.lists,
  limits,
  channel: "page",
  credentials: {
    headers: ["X-Signing-Link"],
    digest: ({ "x-signing-link": secret }) => {
      if (typeof secret !== "string" || !SECRET.test(secret)) throw noSuchLink();
      return hash("sha256", secret, "buffer");
    },
    unknown: noSuchLink,
    refusals: ["not_found"],
    securityScheme: {
      name: "link",
      definition: {
        type: "apiKey",
        in: "header",
        name: "X-Signing-Link",
        description: "The secret of a signing link: the 43 characters after `#`.",
      },
    },
    // Links are made by sending an envelope. Examples are shown to callers without one.
    issue: async () => ({}),
  },
  ofHeaders: {
    headers: [
      {
        name: "X-Signing-Session",
        description: "Token of the session that a one-time code opened.",
        schema: { type: "string", pattern: SECRET.source },
      },
    ],
    parameters: ["session_sha256"],
    read: sessionOf,
  },
  document: {
    ...apiV1.document,
    file: "schema/openapi-signing.json",
    title: "Selo: signing",
    introduction: () => INTRODUCTION,
    describesWebhooks: false,
  },
};
