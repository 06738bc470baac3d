import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";
import { csrfToken, noSessionCookies, sessionCookies } from "../../../surfaces/http/session.ts";

/** What SQL answers of a session just opened. */
const opened = z.object({ session: z.looseObject({}), seconds: z.int() });

/** Gives sessions to browsers, and takes them away. */
export class BrowserSessions {
  readonly #publicUrl: string;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  /** The answer of a command that opened a session, with the cookies of the session. */
  opened(answer: Answer, secret: string): Answer {
    const { session, seconds } = opened.parse(JSON.parse(answer.body ?? "null"));
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
