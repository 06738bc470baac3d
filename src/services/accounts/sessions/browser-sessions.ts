import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";
import { csrfToken, noSessionCookies, sessionCookies } from "../../../surfaces/http/session.ts";

const opened = z.object({ expires_at: z.iso.datetime() });

/** Gives sessions to browsers, and takes them away. */
export class BrowserSessions {
  readonly #publicUrl: string;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  /** The answer of a command that opened a session, with the cookies of the session. */
  opened(answer: Answer, secret: string): Answer {
    const session = JSON.parse(answer.body ?? "null") as object;
    const seconds = (Date.parse(opened.parse(session).expires_at) - Date.now()) / 1_000;
    return {
      ...answer,
      body: JSON.stringify({ ...session, csrf_token: csrfToken(secret) }),
      cookies: sessionCookies(secret, seconds, this.#publicUrl),
    };
  }

  /** The answer of a command that ended the session. */
  ended(answer: Answer): Answer {
    return { ...answer, cookies: noSessionCookies(this.#publicUrl) };
  }
}
