import { type Agent, request } from "undici";
import type { z } from "zod";
import { limitedAgent } from "../outgoing-http/limited-agent.ts";
import {
  type Answers,
  type Asked,
  askedForm,
  judgedForm,
  type Matched,
  type MatchProvider,
  matchedForm,
  type Person,
  ProviderFailed,
  type QuestionProvider,
} from "./contracts.ts";

const WHOLE_MS = 10_000;

export interface IdentityProviderOptions {
  /** https, or http on this machine: it is the operator's word. */
  readonly url: string;
  /** Sent as a bearer token where it is given. */
  readonly token?: string | undefined;
  /** For tests: time limit of a whole request, in milliseconds. */
  readonly wholeMs?: number;
}

/** A provider at an address of the operator's choice. Redirects are not followed, and nothing is asked twice by itself. */
export class IdentityProvider implements QuestionProvider, MatchProvider {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #wholeMs: number;
  readonly #agent: Agent;

  constructor({ url, token, wholeMs = WHOLE_MS }: IdentityProviderOptions) {
    this.#url = url;
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    this.#wholeMs = wholeMs;
    this.#agent = limitedAgent(wholeMs);
  }

  ask(id: string, person: Person): Promise<Asked> {
    return this.#post({ id, ...person }, askedForm);
  }

  async judge(id: string, { reference }: Pick<Asked, "reference">, answers: Answers): Promise<boolean> {
    return (await this.#post({ id, reference, answers }, judgedForm)).passed;
  }

  match(id: string, person: Person): Promise<Matched> {
    return this.#post({ id, ...person }, matchedForm);
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #post<Form extends z.ZodType>(body: object, form: Form): Promise<z.output<Form>> {
    const patience = AbortSignal.timeout(this.#wholeMs);
    try {
      const response = await request(this.#url, {
        dispatcher: this.#agent,
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(body),
        // A kept connection may be closing just then, and the request would be lost.
        reset: true,
        signal: patience,
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new ProviderFailed(`the provider answered ${response.statusCode}`);
      const answer = form.safeParse(jsonOf(text));
      // Without what is wrong: it may name a person.
      if (!answer.success) throw new ProviderFailed("the provider's answer has another form");
      return answer.data;
    } catch (error) {
      if (error instanceof ProviderFailed) throw error;
      if (patience.aborted) throw new ProviderFailed(`the provider did not answer in ${this.#wholeMs / 1_000} seconds`);
      const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
      throw new ProviderFailed(`the provider cannot be asked: ${typeof code === "string" ? code : String(name)}`);
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
