import { NO_NETWORK, type Refusal, refusalOf } from "./refusal.ts";

const AUTH = "/api/v1/auth";
const PATIENCE_MS = 20_000;

export type RoleName = "accountant" | "member" | "admin" | "owner";

export interface OwnOrganization {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly role: RoleName;
}

/** Who is signed in, and where: the answer of `GET /session`. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly language: string };
  readonly organization: { readonly id: string; readonly number: number; readonly name: string };
  readonly role: RoleName;
  readonly scopes: readonly string[];
  readonly organizations: readonly OwnOrganization[];
  readonly second_factor: "none" | "missing" | "totp" | "passkey";
  readonly expires_at: string;
  readonly csrf_token: string;
}

export type Answer<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly refusal: Refusal };

export const readSession = (): Promise<Answer<Session>> => ask("GET", "/session");

/** @param code the code of the second factor, once the service has asked for it */
export const signIn = (email: string, password: string, code?: string): Promise<Answer<Session>> =>
  ask("POST", "/sign-in", { email, password, ...(code === undefined ? {} : { code }) });

/** What the browser needs to sign with a passkey. */
export const askPasskeyOptions = (): Promise<Answer<{ readonly options: object }>> =>
  ask("POST", "/passkey/options", {});

/** @param response what the browser answered to the options */
export const sendPasskey = (response: object): Promise<Answer<Session>> => ask("POST", "/passkey", { response });

export const signOut = (csrf: string): Promise<Answer<null>> => ask("POST", "/sign-out", undefined, csrf);

export const switchTo = (organizationId: string, csrf: string): Promise<Answer<Session>> =>
  ask("POST", "/switch", { organization_id: organizationId }, csrf);

/** Mails a link to set a password. The answer is the same whether somebody has this address or not. */
export const askForReset = (email: string): Promise<Answer<unknown>> => ask("POST", "/password-reset", { email });

export const confirmReset = (link: string, password: string): Promise<Answer<null>> =>
  ask("POST", "/password-reset/confirm", { link, password });

/** What an invitation is for. */
export interface Invitation {
  readonly organization: string;
  readonly email: string;
  readonly role: RoleName;
  /** Whether the invited person has a password already. */
  readonly known: boolean;
}

export const readInvitation = (link: string): Promise<Answer<Invitation>> => ask("POST", "/invitations/read", { link });

interface Acceptance {
  readonly link: string;
  readonly password: string;
  readonly name?: string;
  readonly language?: string;
  readonly code?: string;
}
export const acceptInvitation = (acceptance: Acceptance): Promise<Answer<Session>> =>
  ask("POST", "/invitations/accept", acceptance);

async function ask<Body>(method: string, path: string, body?: object, csrf?: string): Promise<Answer<Body>> {
  try {
    const response = await fetch(AUTH + path, {
      method,
      headers: {
        ...(csrf === undefined ? {} : { "x-csrf-token": csrf }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) return { ok: false, refusal: await refusalOf(response) };
    const text = await response.text();
    return { ok: true, body: (text === "" ? null : JSON.parse(text)) as Body };
  } catch {
    return { ok: false, refusal: NO_NETWORK };
  }
}
