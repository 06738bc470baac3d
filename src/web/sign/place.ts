import type { Signature } from "./reader/drawing.ts";
import type { Values } from "./reader/fields.ts";

/** The steps of signing, in their order. `certificate` stands for `code` where the participant signs with one of their own. `copies` takes the place of the last ones once all have signed. `delegate` is beside the way. */
export const STEPS = [
  "request",
  "code",
  "factor",
  "read",
  "fields",
  "certificate",
  "act",
  "copies",
  "delegate",
] as const;
export type Step = (typeof STEPS)[number];

/** A code that was mailed. */
export interface SentCode {
  readonly sent_to: string;
  /** Milliseconds since 1970, as this device counts them. */
  readonly sentAt: number;
  readonly expires_at: string;
  readonly tries_left: number;
  readonly sends_left: number;
}

/** Who takes the turn over, as far as it is typed. */
export interface Person {
  readonly name?: string;
  readonly email?: string;
  readonly cpf?: string;
  readonly phone?: string;
}

/** What must survive a reload, and the way to the mail program and back. */
export interface Kept {
  /** The part of the link after `#`; null where it is missing. */
  readonly secret: string | null;
  /** Token of the session. */
  readonly token?: string | undefined;
  /** When the right code was typed, in milliseconds since 1970. */
  readonly signedInAt?: number | undefined;
  readonly code?: SentCode | undefined;
  readonly step?: Step | undefined;
  /** Where to go on when the code has opened a session again. */
  readonly next?: Step | undefined;
  /** Whether the session waits for its second factor. */
  readonly needsFactor?: boolean | undefined;
  readonly hasRead?: boolean | undefined;
  readonly values?: Values | undefined;
  /** The field that is filled in now. */
  readonly field?: string | undefined;
  readonly signature?: Signature | undefined;
  /** The reason for declining, as far as it is typed. */
  readonly reason?: string | undefined;
  /** Whether the participant began to decline, and must sign in first. */
  readonly isDeclining?: boolean | undefined;
  readonly other?: Person | undefined;
  readonly language?: string | undefined;
  /** Whether this secret has opened the request. If it no longer does, the sender has replaced the link. */
  readonly isKnown?: boolean | undefined;
}

/** How it ended. It stands in the history entry of the page, and says nothing of the envelope. */
export interface Ended {
  readonly status: "completed" | "declined" | "delegated";
  readonly at: string | null;
  /** Version of the text of the agreement. */
  readonly consent?: string | null;
}

/** Who signs, and what this tab keeps for it. */
export interface Place {
  readonly participantId: string;
  readonly kept: Kept;
  readonly ended: Ended | null;
}

/** 32 bytes as base64url, as src/services/signature/signing/signing-link.ts makes them. */
const SECRET = /^#([A-Za-z0-9_-]{43})$/;

const storeName = (participantId: string) => `selo.signing.${participantId}`;

/** Reads the link, and removes its secret from the address and from the history. This tab keeps it until the end. */
export function takePlace(): Place {
  const participantId = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  const given = SECRET.exec(location.hash)?.[1] ?? null;
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  const before = recall(participantId);
  const secret = given ?? before.secret;
  // A newer link of the same participant: its sessions are others, and what was typed is the same.
  const { token: _token, code: _code, needsFactor: _needsFactor, isKnown: _isKnown, ...typed } = before;
  const kept = given === null || given === before.secret ? { ...before, secret } : { ...typed, secret };
  if (secret !== null) keep(participantId, kept);
  const { ended = null } = entryState();
  // A reload of the page shows how the request ended.
  return { participantId, kept, ended: given === null ? ended : null };
}

/** What this tab keeps, if the browser lets pages keep anything. */
function recall(participantId: string): Kept {
  try {
    const text = sessionStorage.getItem(storeName(participantId));
    return text === null ? { secret: null } : (JSON.parse(text) as Kept);
  } catch {
    return { secret: null };
  }
}

/** Keeps it for this tab. Where the browser keeps nothing, a reload begins anew. */
export function keep(participantId: string, kept: Kept): void {
  try {
    sessionStorage.setItem(storeName(participantId), JSON.stringify(kept));
  } catch {}
}

/** Forgets everything: nothing of the envelope stays in the browser. */
export function forget(participantId: string): void {
  try {
    sessionStorage.removeItem(storeName(participantId));
  } catch {}
}

/** What an entry of the history says of this page. */
interface EntryState {
  readonly step?: Step;
  readonly ended?: Ended;
}

export function entryState(): EntryState {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? state : {};
}
