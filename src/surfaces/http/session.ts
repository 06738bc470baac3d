import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, invalidRequest } from "../../errors/app-error.ts";
import type { Database } from "../../postgres/database.ts";
import type { LimitForm, Limits } from "./limits.ts";

/** HttpOnly: holds the secret of a session. */
const SESSION_COOKIE = "inv_session";
/** Read by our pages, which send its value as {@link CSRF_HEADER}. */
const CSRF_COOKIE = "inv_csrf";
const CSRF_HEADER = "x-csrf-token";
/** The environment of a request by a session; live without it. */
const ENVIRONMENT_HEADER = "x-environment";

const ENVIRONMENTS = ["live", "test"] as const;
type Environment = (typeof ENVIRONMENTS)[number];

/** The session of a request. Its cookie may be worth nothing: SQL decides. */
export interface Session {
  /** SHA-256 of what stands for the session in the environment of the request. */
  readonly credentialHash: Buffer;
  /** The same for live, whatever the environment of the request: it names the session. */
  readonly liveHash: Buffer;
  readonly secret: string;
}

/** 32 bytes as base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A session has a credential in either environment. */
const sessionHash = (secret: string, environment: Environment): Buffer =>
  hash("sha256", `${secret} ${environment}`, "buffer");

/** Only the holder of the session's secret can make it. */
export const csrfToken = (secret: string): string =>
  createHmac("sha256", secret).update(CSRF_COOKIE).digest("base64url");

/** The refusal of a session that is unknown, ended or malformed. */
export const unknownSession = (): AppError =>
  new AppError(401, "unauthenticated", "The session is unknown or has ended. Sign in again.");

/**
 * The session that a request names. Null without its cookie, and for a request with an Authorization header, which alone counts then.
 * @throws AppError 401 unauthenticated for a malformed cookie, and for several
 */
export function sessionOf(headers: IncomingHttpHeaders): Session | null {
  if (headers.authorization !== undefined) return null;
  const secrets = cookiesNamed(SESSION_COOKIE, headers);
  if (secrets.length === 0) return null;
  const [secret = ""] = secrets;
  // Another site below the same domain may have planted a second one.
  if (secrets.length > 1 || !SECRET.test(secret)) throw unknownSession();
  const liveHash = sessionHash(secret, "live");
  const credentialHash = headers[ENVIRONMENT_HEADER] === "test" ? sessionHash(secret, "test") : liveHash;
  return { credentialHash, liveHash, secret };
}

/**
 * Admits a request by its session. Counts the request for the person, and refuses a write that did not come from our own pages.
 * @throws AppError 401 unauthenticated or session_expired; 403 csrf; 422 invalid_request for an unknown environment; 429 rate_limited
 */
export async function admitSession(
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
  { database, limits }: { readonly database: Database; readonly limits: Limits },
  form?: LimitForm,
): Promise<void> {
  try {
    await limits.token(session.credentialHash, request.ip, reply, form === undefined ? {} : { form });
    const refusal = csrfRefusal(session, request) ?? environmentRefusal(request.headers);
    if (refusal === null) return;
    // The limit believes for up to a minute that a session lives. Who is unknown hears that first.
    await database.authorize(session.credentialHash);
    throw refusal;
  } catch (error) {
    throw error instanceof AppError && error.code === "unauthenticated" ? unknownSession() : error;
  }
}

/** Browsers send the cookies of a session with every request, whichever page makes it: only our own pages can read the other cookie. */
function csrfRefusal({ secret }: Session, { method, headers }: FastifyRequest): AppError | null {
  if (method === "GET" || method === "HEAD") return null;
  const sent = headers[CSRF_HEADER];
  const cookies = cookiesNamed(CSRF_COOKIE, headers);
  const isSound =
    typeof sent === "string" && cookies.length === 1 && cookies[0] === sent && equals(sent, csrfToken(secret));
  return isSound ? null : csrf(`The header X-CSRF-Token must have the value of the cookie ${CSRF_COOKIE}.`);
}

function environmentRefusal({ [ENVIRONMENT_HEADER]: environment }: IncomingHttpHeaders): AppError | null {
  if (environment === undefined || ENVIRONMENTS.some((known) => known === environment)) return null;
  return invalidRequest([{ field: "X-Environment", message: `must be ${ENVIRONMENTS.join(" or ")}` }]);
}

/**
 * For paths that take no session, but open one: a page of another origin could sign its reader in as somebody else.
 * @param publicUrl the address of our own pages
 * @throws AppError 403 csrf
 */
export function requireOwnOrigin({ origin }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw csrf("This request must not come from a page of another origin.");
}

const csrf = (message: string) => new AppError(403, "csrf", message);

/** Of tokens in base64url: the length says nothing. */
const equals = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, "latin1"), Buffer.from(other, "latin1"));

/** The values of the cookies with a name; mostly one. */
function cookiesNamed(name: string, { cookie = "" }: IncomingHttpHeaders): string[] {
  return cookie.split(";").flatMap((pair) => {
    const [key = "", ...value] = pair.split("=");
    return key.trim() === name ? [value.join("=").trim()] : [];
  });
}

/** A new session, before it is opened in the database. */
export interface NewSession {
  readonly secret: string;
  /** SHA-256 of its two credentials, in hexadecimal. The database gets these digests and never the secret. */
  readonly digests: { readonly live_sha256: string; readonly test_sha256: string };
}

/** The secret is drawn here and not injected: who foresees it is signed in as another. */
export function newSession(): NewSession {
  const secret = randomBytes(32).toString("base64url");
  const [live_sha256, test_sha256] = [
    sessionHash(secret, "live").toString("hex"),
    sessionHash(secret, "test").toString("hex"),
  ];
  return { secret, digests: { live_sha256, test_sha256 } };
}

/**
 * Values of Set-Cookie that give a browser a session.
 * @param seconds until it runs out
 * @param publicUrl only over http the cookies do without Secure
 */
export function sessionCookies(secret: string, seconds: number, publicUrl: string): string[] {
  return cookies(secret, csrfToken(secret), Math.max(0, seconds), publicUrl);
}

/** Values of Set-Cookie that take the session away from a browser. */
export const noSessionCookies = (publicUrl: string): string[] => cookies("", "", 0, publicUrl);

function cookies(session: string, csrfValue: string, seconds: number, publicUrl: string): string[] {
  const common = `Path=/; Max-Age=${seconds}; SameSite=Lax${publicUrl.startsWith("http:") ? "" : "; Secure"}`;
  return [`${SESSION_COOKIE}=${session}; ${common}; HttpOnly`, `${CSRF_COOKIE}=${csrfValue}; ${common}`];
}

/** For API descriptions: the cookie, and the headers that go with it. */
export const sessionScheme = {
  name: "session",
  definition: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: `The session of a person who has signed in, for 12 hours. POST, PUT, PATCH and DELETE also send the value of the cookie \`${CSRF_COOKIE}\` as \`X-CSRF-Token\`. A request with \`Authorization\` is that of the token, and the cookie is ignored.`,
  },
} as const;

/** Headers of a request by a session, for API descriptions. */
export const sessionHeaders = (method: string): object[] => [
  {
    name: "X-Environment",
    in: "header",
    description: "With a session: the environment. Ignored with a token.",
    required: false,
    schema: { type: "string", enum: [...ENVIRONMENTS], default: "live" },
  },
  ...(method === "GET"
    ? []
    : [
        {
          name: "X-CSRF-Token",
          in: "header",
          description: `With a session, required: the value of the cookie \`${CSRF_COOKIE}\`.`,
          required: false,
          schema: { type: "string", pattern: SECRET.source },
        },
      ]),
];
