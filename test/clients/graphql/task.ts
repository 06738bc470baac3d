// What a client's program is asked to do, as a JSON text in its argument, and what it prints of it.

/** An operation that Selo refuses. */
export interface Ask {
  /** The code that it is refused with. */
  readonly code: string;
  readonly url: string;
  /** Null for a request without Authorization: that of a session. */
  readonly token: string | null;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a file that goes with it as the variable `file`; null without one. */
  readonly fileBytes: number | null;
  /** Sent by GET, whatever it is. */
  readonly byGet: boolean;
}

export interface Task {
  readonly url: string;
  readonly token: string;
  readonly sha256: string;
  readonly label: string;
  readonly pageSize: number;
  /** A moment before some of the proofs were registered. */
  readonly since: string;
  /** A webhook with a delivery. */
  readonly webhookId: string;
  readonly asks: readonly Ask[];
}

/** How a client shows an error to its user. */
export interface Shown {
  /** The code that was expected. */
  readonly expected: string;
  /** The class of the error. */
  readonly type: string;
  /** Of `extensions`, as the class gives them. */
  readonly codes: readonly unknown[];
  readonly messages: readonly string[];
}

export interface Report {
  /** Ids of proofs, page by page. */
  readonly pages: readonly (readonly string[])[];
  /** Ids of the proofs that were registered since then, the oldest first. */
  readonly filtered: readonly string[];
  readonly registered: { readonly created: boolean; readonly sha256: string; readonly label: string | null } | null;
  readonly uploaded: {
    readonly sha256: string;
    readonly fileName: string | null;
    readonly fileSize: string | null;
  } | null;
  /** The webhook with what it leads to. */
  readonly webhook: unknown;
  /** Under which names the client keeps objects; null where it does not say. */
  readonly kept: readonly string[] | null;
  readonly shown: readonly Shown[];
  readonly persisted: readonly Persisted[];
}

/** What came of a query and a mutation that a client asked for as persisted queries, one after the other. */
export interface Persisted {
  /** How the client asks for a query by its digest. */
  readonly method: "GET" | "POST";
  /** Id of the newest proof. */
  readonly newest: string | undefined;
  /** Requests until then. */
  readonly requestsOfQuery: number;
  readonly created: boolean | undefined;
  readonly requestsOfMutation: number;
}

export const FILE_TEXT = "a file of a client";
export const FILE_NAME = "contract.txt";

export function readTask(): Task {
  return JSON.parse(process.argv[2] ?? "") as Task;
}

export function write(report: Report): void {
  process.stdout.write(JSON.stringify(report));
}

/** The headers of an ask, with its token. */
export function headersOf({ token, headers }: Ask): Record<string, string> {
  return { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers };
}

/** With a file where the ask has one. */
export function variablesOf({ variables, fileBytes }: Ask): Record<string, unknown> {
  if (fileBytes === null) return { ...variables };
  return { ...variables, file: new File([new Uint8Array(fileBytes)], FILE_NAME) };
}
