import net from "node:net";
import type pg from "pg";
import { expect } from "vitest";
import { ERROR_FACTS } from "../../src/errors/app-error.ts";
import type { TestGateway } from "./gateway.ts";
import { lastAnswers } from "./last-answers.ts";

/** What came back, with the body as text and, where it is JSON, parsed. */
export interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape; expectations look into them
  readonly body: any;
}

export interface RestRequest {
  /** Of the surface; the main one's where it is absent. */
  readonly prefix?: string | undefined;
  readonly token?: string | null | undefined;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are, as application/json unless headers say otherwise. */
  readonly body?: object | string | Uint8Array | FormData | ReadableStream | undefined;
}

/** One request to the documented paths; `path` begins below the prefix. */
export async function call(
  selo: Pick<TestGateway, "baseUrl">,
  method: string,
  path: string,
  request: RestRequest = {},
): Promise<RestResponse> {
  const { token, key, body, prefix = "/api/v1" } = request;
  const asIs =
    body === undefined ||
    typeof body === "string" ||
    body instanceof Uint8Array ||
    body instanceof FormData ||
    body instanceof ReadableStream;
  const response = await fetch(`${selo.baseUrl}${prefix}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(body === undefined
      ? {}
      : { body: asIs ? (body as NonNullable<RequestInit["body"]>) : JSON.stringify(body), duplex: "half" }),
  } as RequestInit);
  return noted(
    `${method} ${prefix}${path}`,
    asResponse(response.status, response.headers, Buffer.from(await response.arrayBuffer())),
  );
}

/** Keeps an answer for the log of a test that fails; of what is no text, how long it is. */
function noted<Answer extends RestResponse | null>(question: string, answer: Answer): Answer {
  const type = answer?.headers.get("content-type") ?? "";
  const isText = /^(text\/|application\/(json|graphql-response\+json|x-www-form-urlencoded))/.test(type);
  const text =
    answer === null || isText || type === "" ? (answer?.text ?? "") : `${answer.bytes.length} bytes of ${type}`;
  lastAnswers.add(question, answer?.status ?? "no answer", text);
  return answer;
}

function asResponse(status: number, headers: Headers, bytes: Buffer): RestResponse {
  const text = bytes.toString("utf8");
  const isJson = headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status, headers, bytes, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A multipart body written by hand, to be as broken as a test wants it. */
export function multipartBody(
  parts: readonly { readonly headers: readonly string[]; readonly content: string | Uint8Array }[],
  boundary = "selo-boundary",
): { readonly bytes: Buffer; readonly headers: Record<string, string> } {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n`, "latin1"),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

/** A part that is a file, with the bytes of its name as UTF-8. */
export function filePart(content: string | Uint8Array, fileName = "contract.pdf", name = "file") {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`;
  return {
    headers: [Buffer.from(disposition, "utf8").toString("latin1"), "Content-Type: application/pdf"],
    content,
  };
}

/** A part that is a text field. */
export function textPart(name: string, content: string | Uint8Array) {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}

/** Of the first line of a raw request, as the log of a test that fails shows it. */
const MOST_LINE = 200;

/** How a raw request ends: the sender closes its half, keeps it open, or resets the connection. */
export type RawEnding = "half-close" | "stay" | "reset";

/**
 * Sends bytes over a bare connection and answers what came back until the server closed or answered once; null when
 * the connection ended without an answer. Fails when nothing happens for 10 s.
 */
export function sendRaw(
  selo: Pick<TestGateway, "baseUrl">,
  bytes: string | Buffer,
  ending: RawEnding = "stay",
): Promise<RestResponse | null> {
  const { hostname, port } = new URL(selo.baseUrl);
  const request = Buffer.from(bytes);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const received: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      const line = request
        .subarray(0, MOST_LINE)
        .toString("latin1")
        .replace(/\r\n.*$/s, "");
      resolve(noted(line, parseRaw(Buffer.concat(received))));
    };
    socket.setTimeout(30_000, () => {
      socket.destroy();
      reject(new Error("no answer and no close within 30 s"));
    });
    socket.on("connect", () => {
      socket.write(request, () => {
        if (ending === "half-close") socket.end();
        if (ending === "reset") {
          socket.resetAndDestroy();
          resolve(null);
        }
      });
    });
    socket.on("data", (chunk) => {
      received.push(chunk);
      if (isWhole(Buffer.concat(received))) finish();
    });
    socket.on("end", finish);
    socket.on("error", finish);
  });
}

function isWhole(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /^content-length: (\d+)$/im.exec(text.slice(0, end))?.[1];
  return length !== undefined && bytes.length >= end + 4 + Number(length);
}

function parseRaw(bytes: Buffer): RestResponse | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return asResponse(Number(statusLine.split(" ")[1]), headers, bytes.subarray(end + 4));
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;

/** The documented error, whole: status, body of exactly the documented members, X-Request-Id, content type. */
export function expectError(
  response: RestResponse | null,
  status: number,
  code: string,
  fields?: readonly string[],
): void {
  // The form of DNS. `surfaces.test.ts` and the descriptions of the API say which surface has which form.
  const isOfDns = typeof response?.body?.detail === "string";
  const message = expect.stringMatching(/^.{1,300}$/);
  const hasFacts = Object.values(ERROR_FACTS).some(({ codes }) => codes.some((each) => each === code));
  expect({ status: response?.status, body: response?.body ?? response?.text }).toEqual({
    status,
    body: {
      ...(isOfDns
        ? { detail: message, code }
        : {
            detail: hasFacts ? expect.objectContaining({ code, message }) : { code, message },
            documentation: expect.stringMatching(new RegExp(`^https?://[^/]+/guides/errors#${code}$`)),
          }),
      request_id: response?.headers.get("x-request-id"),
      ...(status === 422
        ? {
            fields: fields
              ? fields.map((field) => ({ field, message: expect.stringMatching(/^.{1,500}$/) }))
              : expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]),
          }
        : {}),
    },
  });
  expectCommonHeaders(response);
  // A session that ran out is one of a participant or of a person.
  if (status === 401)
    expect(response?.headers.get("www-authenticate")).toMatch(
      code === "session_expired" ? /^(Signing-Session|Bearer)$/ : /^Bearer$/,
    );
  if (status === 503) expect(response?.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  // Nothing of ours, of Postgres' or of a library's inside.
  expect(response?.text).not.toMatch(/node_modules|FST_|ERR_|SQLSTATE|violates|at .*\.ts:|ECONN/);
  expect(response?.text).not.toMatch(/"(?:Invalid|Unrecognized|Too (?:big|small)) /);
}

/** What every response has. */
export function expectCommonHeaders(response: Pick<RestResponse, "headers"> | null): void {
  expect(response?.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response?.headers.get("x-request-id")).toMatch(REQUEST_ID);
  expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response?.headers.get("cache-control")).toBe("no-store");
}

/** Tables that the gateway writes to whatever becomes of a request: what it counts of addresses and actors. */
const COUNTED_ALWAYS = ["platform.request_counts", "platform.actor_uses"];

/** How many rows every table of every service holds, by its name; and what changes without a new row. */
export async function countRows({
  database: { admin },
}: Pick<TestGateway, "database">): Promise<Record<string, number>> {
  let counting = countings.get(admin);
  if (counting === undefined) {
    counting = countingOf(admin);
    countings.set(admin, counting);
  }
  // Under a name it is parsed and planned once a connection, which costs four times as much as counting.
  const { rows } = await admin.query<Record<string, number>>({ name: "count rows", text: await counting });
  return rows[0] ?? {};
}

/** The statement that counts, by the database: no request makes a table. */
const countings = new WeakMap<pg.Pool, Promise<string>>();

async function countingOf(admin: pg.Pool): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select relation.oid::regclass::text as name from pg_class as relation
     where relation.relkind in ('r', 'p') and not relation.relispartition
       and relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)
       and relation.oid <> all ($1::regclass[]) order by 1`,
    [COUNTED_ALWAYS],
  );
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name}) as "${name}"`);
  return `select ${counts.join(", ")},
    (select coalesce(sum(balance), 0)::int from platform.credit_balances) as "credits left",
    (select count(*)::int from webhooks.endpoints where status = 'ACTIVE') as "active endpoints"`;
}

/** What is left of an organization's signature credits, by its balances and by its ledger; they must agree. */
export async function signatureCredits(selo: Pick<TestGateway, "database">, tenantId: string): Promise<number> {
  const { rows } = await selo.database.admin.query<{ balance: number; ledger: number }>(
    `select
      (select coalesce(sum(balance), 0)::int from platform.credit_balances where tenant_id = $1 and kind = 'signature') as balance,
      (select coalesce(sum(amount), 0)::int from platform.credit_ledger where tenant_id = $1 and kind = 'signature') as ledger`,
    [tenantId],
  );
  expect(rows[0]?.ledger).toBe(rows[0]?.balance);
  return rows[0]?.balance ?? Number.NaN;
}
