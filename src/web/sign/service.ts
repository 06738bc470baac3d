import type { Signature } from "./reader/drawing.ts";
import type { Field, Values } from "./reader/fields.ts";

/** The path of the API. */
export const SIGNING = "/api/v1/signing";
const PATIENCE_MS = 20_000;
/** The service asks issuers whether a certificate was revoked, and they may be slow. */
const PATIENCE_WITH_ISSUERS_MS = 60_000;
/** A document may be large, and the network slow. */
export const PATIENCE_FOR_DOCUMENTS_MS = 120_000;

export interface SigningDocument {
  readonly id: string;
  readonly filename: string;
  readonly pages: number;
  readonly page_sizes: readonly { readonly width: number; readonly height: number }[];
  /** As it was sent, and sealed; null before the completion. */
  readonly sha256: string;
  readonly final_sha256: string | null;
}

/** What a signing link is for: the answer of `GET /signing/{participant_id}`. */
export interface Signing {
  readonly organization: string;
  /** The address that replies to the mails reach; null where nobody reads them. */
  readonly contact: string | null;
  readonly environment: "live" | "test";
  readonly title: string;
  readonly message: string | null;
  readonly status: string;
  readonly language: string;
  /** Whether the participant is the only one who acts. */
  readonly single_signer: boolean;
  readonly turn: "yes" | "not_yet" | "done" | "over";
  readonly participant: {
    readonly name: string;
    readonly role: string;
    readonly modality: string;
    readonly status: string;
    /** Masked; null where it is not known, and without a session. */
    readonly cpf: string | null;
  };
  /** Where codes go, masked: an e-mail address, or a telephone number. */
  readonly sent_to: string;
  /** The steps of signing in: `code`, a second factor after it, `certificate`. */
  readonly steps: readonly string[];
  /** The masked e-mail address. */
  readonly mails_to: string;
  /** The numbers that handing the turn to somebody else takes; null where it cannot be passed on. */
  readonly delegation: { readonly needs: readonly ("cpf" | "phone")[] } | null;
  /** Null without a session. */
  readonly verification_code: string | null;
  readonly consent: { readonly version: string; readonly text: string; readonly sha256: string };
  readonly documents: readonly SigningDocument[] | null;
  readonly fields: readonly Field[] | null;
}

export interface SigningCode {
  readonly sent_to: string;
  readonly expires_at: string;
  readonly tries_left: number;
  readonly sends_left: number;
}

export interface SigningDone {
  readonly status: "completed" | "declined";
  readonly completed_at: string | null;
  /** What the participant agreed to, also where another text is shown by now. */
  readonly consent_version: string | null;
}

/** Why the service did not do what it was asked. */
export interface Refusal {
  /** `no_network` where nothing was answered. */
  readonly code: string;
  /** With a wrong answer. */
  readonly triesLeft?: number;
  /** Why a PDF is not taken. */
  readonly reason?: string;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** How long to wait, where the service says so. */
  readonly seconds: number | null;
  readonly requestId: string | null;
}

export type Answer<Body> =
  /** `at`: when the service answered, where it says so. */
  | { readonly ok: true; readonly body: Body; readonly at?: string | null }
  | { readonly ok: false; readonly refusal: Refusal };

/** What opens the API: the secret of the link, and after the code the token of a session. */
export interface Access {
  readonly participantId: string;
  readonly secret: string;
  readonly token?: string | undefined;
}

export const readSigning = (access: Access): Promise<Answer<Signing>> => ask(access, "GET", "");
export const sendCode = (access: Access): Promise<Answer<SigningCode>> => ask(access, "POST", "/code");
/** @param code null where the link alone opens a session: for who signs with a certificate of their own */
export const openSession = (
  access: Access,
  code: string | null,
): Promise<Answer<{ readonly token: string; readonly next: string | null }>> =>
  ask(access, "POST", "/session", code === null ? {} : { code });
/** A question about the participant, for which a provider knows the answer. */
export interface FactorQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
}

/** What is typed or chosen as a second factor. */
export interface FactorAnswer {
  readonly cpf?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

export const readFactor = (
  access: Access,
): Promise<Answer<{ readonly tries_left: number; readonly questions: readonly FactorQuestion[] | null }>> =>
  ask(access, "GET", "/factor");
export const passFactor = (access: Access, answer: FactorAnswer): Promise<Answer<unknown>> =>
  ask(access, "POST", "/factor", answer);
export const recordView = (access: Access): Promise<Answer<null>> => ask(access, "POST", "/view");
export const decline = (access: Access, reason: string): Promise<Answer<SigningDone>> =>
  ask(access, "POST", "/decline", { reason });

export const delegate = (access: Access, person: object): Promise<Answer<unknown>> =>
  ask(access, "POST", "/delegate", person);

interface Completion {
  readonly consent_version: string;
  readonly signature?: Signature;
  readonly values: Values;
  readonly cpf?: string;
  /** By a certificate of one's own. */
  readonly signatures?: readonly { readonly document_id: string; readonly signature: string }[];
}
export const complete = (access: Access, completion: Completion): Promise<Answer<SigningDone>> =>
  ask(access, "POST", "/complete", completion, completion.signatures && PATIENCE_WITH_ISSUERS_MS);

/** What a certificate signs of one document, in base64. */
export interface ToSign {
  readonly document_id: string;
  readonly signed_attributes: string;
  readonly digest: string;
}
/** A certificate that was accepted. */
export interface Certified {
  readonly to_sign: readonly ToSign[];
  readonly expires_at: string;
  readonly certificate: {
    readonly name: string;
    /** Masked; null where it names none. */
    readonly cpf: string | null;
    readonly issuer: string;
    readonly not_after: string;
  };
}
export const presentCertificate = (access: Access, chain: readonly string[]): Promise<Answer<Certified>> =>
  ask(access, "POST", "/certificate", { chain }, PATIENCE_WITH_ISSUERS_MS);

/** Mails the link anew. It needs no link, and the answer is the same whether there is such a participant or not. */
export const mailLink = (participantId: string): Promise<Answer<null>> =>
  ask({ participantId, secret: "" }, "POST", "/link");

/** A document, or a part of it. @param headers such as Range */
export async function requestDocument(
  access: Access,
  documentId: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<Response>> {
  return requestFile(access, `/documents/${documentId}`, headers);
}

/** A document or the report, as a file to keep. */
export async function readFile(access: Access, path: string): Promise<Answer<Blob>> {
  const answer = await requestFile(access, path, {});
  if (!answer.ok) return answer;
  return answer.body.blob().then(
    (body) => ({ ok: true, body }),
    () => ({ ok: false, refusal: NO_NETWORK }),
  );
}

async function requestFile(
  access: Access,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<Response>> {
  try {
    const response = await send(access, "GET", path, PATIENCE_FOR_DOCUMENTS_MS, { headers });
    return response.ok ? { ok: true, body: response } : { ok: false, refusal: await refusalOf(response) };
  } catch {
    return { ok: false, refusal: NO_NETWORK };
  }
}

/** Nothing was answered. */
export const NO_NETWORK: Refusal = { code: "no_network", fields: [], seconds: null, requestId: null };

async function ask<Body>(
  access: Access,
  method: string,
  path: string,
  body?: object,
  patienceMs = PATIENCE_MS,
): Promise<Answer<Body>> {
  try {
    const response = await send(access, method, path, patienceMs, body === undefined ? {} : { body });
    if (!response.ok) return { ok: false, refusal: await refusalOf(response) };
    const text = await response.text();
    const date = response.headers.get("date");
    const at = date === null ? null : new Date(date).toISOString();
    return { ok: true, body: (text === "" ? null : JSON.parse(text)) as Body, at };
  } catch {
    return { ok: false, refusal: NO_NETWORK };
  }
}

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(access: Access, method: string, path: string, patienceMs: number, sent: Sent): Promise<Response> {
  const { participantId, secret, token } = access;
  const { body, headers } = sent;
  return fetch(`${SIGNING}/${encodeURIComponent(participantId)}${path}`, {
    method,
    headers: {
      ...headers,
      ...(secret === "" ? {} : { "x-signing-link": secret }),
      ...(token === undefined ? {} : { "x-signing-session": token }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(patienceMs),
  });
}

/** What an answer that is no success says. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const seconds = Number(response.headers.get("retry-after")) || null;
  const requestId = response.headers.get("x-request-id");
  try {
    const { detail, fields = [] } = (await response.json()) as {
      readonly detail: { readonly code: string; readonly tries_left?: number; readonly reason?: string };
      readonly fields?: Refusal["fields"];
    };
    const { code, tries_left: triesLeft, reason } = detail;
    return {
      code,
      ...(triesLeft === undefined ? {} : { triesLeft }),
      ...(reason === undefined ? {} : { reason }),
      fields,
      seconds,
      requestId,
    };
  } catch {
    // A proxy answered.
    return { code: "unavailable", fields: [], seconds, requestId };
  }
}
