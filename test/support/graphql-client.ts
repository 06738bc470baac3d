import type { TestGateway } from "./gateway.ts";
import { lastAnswers } from "./last-answers.ts";

/** An answer of /graphql, its errors with the extensions they are documented with. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly http: { readonly status: number };
    readonly requestId: string;
    readonly documentation: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
}

/** Who asks: by a token, by headers such as those of a session, or by nothing. */
export type Asker = string | Readonly<Record<string, string>> | null;

/** Sends an operation with a token; null: without one. */
export async function graphql(
  selo: Pick<TestGateway, "baseUrl">,
  token: Asker,
  query: string,
  variables?: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  return post(selo, token, JSON.stringify({ query, variables }), headers);
}

/** Sends a body as it is. */
export async function post(
  selo: Pick<TestGateway, "baseUrl">,
  token: Asker,
  body: string | FormData | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${selo.baseUrl}/graphql`, {
    method: "POST",
    headers: {
      ...headersOf(token),
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    body,
  });
  return answerOf(typeof body === "string" ? body : "POST /graphql", response);
}

/** Asks by GET, with these members in the query of the address. */
export async function get(
  selo: Pick<TestGateway, "baseUrl">,
  token: string | null,
  members: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  const query = typeof members === "string" ? members : new URLSearchParams(members).toString();
  const response = await fetch(`${selo.baseUrl}/graphql?${query}`, { headers: { ...headersOf(token), ...headers } });
  return answerOf(`GET /graphql?${query}`, response);
}

/** With this Accept the status is that of the error, whether it came before something ran or after. */
function headersOf(token: Asker): Record<string, string> {
  return {
    accept: "application/graphql-response+json",
    ...(typeof token === "string" ? { authorization: `Bearer ${token}` } : token),
  };
}

/** Of a question, as the log of a test that fails shows it. */
const MOST_QUESTION = 300;

async function answerOf(question: string, response: Response): Promise<GraphqlAnswer> {
  const text = await response.text();
  lastAnswers.add(question.slice(0, MOST_QUESTION), response.status, text);
  const answer = JSON.parse(text) as Pick<GraphqlAnswer, "data"> & { errors?: GraphqlError[] };
  return { status: response.status, headers: response.headers, data: answer.data, errors: answer.errors ?? [] };
}

/** What a root field answered, believed to be of this shape. */
export function answered<Result>({ data }: GraphqlAnswer, field: string): Result {
  return data?.[field] as Result;
}

/** The nodeId of an object. */
export const nodeIdOf = (type: string, id: string): string =>
  Buffer.from(JSON.stringify([type, id])).toString("base64");
