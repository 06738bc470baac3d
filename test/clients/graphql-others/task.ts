// What a client's program is asked to do, as a JSON text in its argument, and what it prints of it.

/** An operation that Selo refuses. */
export interface Ask {
  /** The code that it is refused with. */
  readonly code: string;
  readonly operation: "list" | "register" | "remove" | "upload";
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Of a file that goes with it as `input.file`; null without one. */
  readonly fileBytes: number | null;
}

export interface Task {
  readonly url: string;
  readonly token: string;
  readonly pageSize: number;
  /** A moment before some of the proofs were registered. */
  readonly since: string;
  readonly sha256: string;
  readonly label: string;
  readonly asks: readonly Ask[];
}

export interface Report {
  /** Ids of all proofs, the newest first. */
  readonly ids: readonly string[];
  /** How many pages they had. */
  readonly pages: number;
  /** Ids of the proofs since then, the oldest first. */
  readonly filtered: readonly string[];
  readonly registered: { readonly created: boolean; readonly sha256: string; readonly label: string | null };
  /** Ids in the list that the client keeps, after the mutation; null of a client that keeps none. */
  readonly kept: readonly string[] | null;
  /** The label of the registered proof, once the client has forgotten it and read the proof again; null of a client that does not. */
  readonly refetched: string | null;
  readonly uploaded: { readonly sha256: string; readonly fileName: string | null };
  readonly shown: readonly { readonly expected: string; readonly codes: readonly unknown[] }[];
}

export const FILE_TEXT = "a file of another client";
export const FILE_NAME = "annex.txt";

export function readTask(): Task {
  return JSON.parse(process.argv[2] ?? "") as Task;
}

export function write(report: Report): void {
  process.stdout.write(JSON.stringify(report));
}
