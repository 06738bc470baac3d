// What a client's program is asked to do, as a JSON text in its argument, and what it prints of it. A client says in `Selo` how it
// does what is asked of it; `work` asks.

/** A request that is refused. */
export interface Ask {
  /** The code that it is refused with. */
  readonly code: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly does: "register" | "upload" | "verify" | "list" | "read" | "receipt";
  /** Of the file. */
  readonly bytes: number;
  /** The proof whose receipt is asked for. Null for one that nobody has. */
  readonly proofId: string | null;
  readonly key: string | null;
  /** Takes the place of the token on the way: that of a session. Null without one. */
  readonly cookie: string | null;
  /** What happens to the request on its way, so that what arrives is not what was sent: types let nobody send it. */
  readonly onTheWay:
    | "nothing"
    | "its end is cut off"
    | "its content type is changed"
    | "it is filled up"
    | "its address is broken"
    | "its address has a member more"
    | "it asks for a part that no file has";
}

export interface Task {
  readonly baseUrl: string;
  readonly token: string;
  readonly sha256: string;
  readonly label: string;
  readonly pageSize: number;
  readonly asks: readonly Ask[];
}

/** An error as a client has it. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly documentation: string;
  /** Names of members; null where the error lists none. */
  readonly fields: readonly string[] | null;
}

export interface Shown {
  readonly does: string;
  /** The code that was expected. */
  readonly expected: string;
  /** Null where nothing was refused. */
  readonly refusal: Refusal | null;
}

export interface Registered {
  readonly status: number;
  readonly id: string;
  readonly sha256: string;
  readonly label: string | null;
  readonly fileName: string | null;
  readonly fileSize: number | null;
  readonly created: boolean;
}

/** A proof that anyone may see. */
export interface Verified {
  readonly id: string;
  /** Of the evidence. */
  readonly sha256: string;
  /** Whether both signatures verify. */
  readonly valid: boolean;
}

export interface Page {
  readonly ids: readonly (string | undefined)[];
  readonly next: string | null;
  readonly link: string | null;
}

export interface Report {
  readonly registered: Registered;
  readonly uploaded: Registered;
  readonly verified: Verified;
  /** SHA-256 of its bytes, and the first of them. */
  readonly receipt: { readonly sha256: string; readonly begins: string };
  readonly pages: readonly Page[];
  readonly shown: readonly Shown[];
}

/** What a client answers: what it read, or why it was refused. */
export type Read<Value> = { readonly value: Value } | { readonly refusal: Refusal };

/** The operations that the task needs, made of a generated client. */
export interface Selo {
  register(sha256: string, label: string, key: string | null): Promise<Read<Registered>>;
  upload(file: File, label: string, key: string | null): Promise<Read<Registered>>;
  verify(file: File): Promise<Read<Verified>>;
  receipt(id: string): Promise<Read<Blob>>;
  list(limit: number, cursor: string | null): Promise<Read<Page>>;
  /** Answers the id of the proof. */
  read(id: string): Promise<Read<string | undefined>>;
}

export const FILE_TEXT = "a file of a client";
export const FILE_NAME = "contract.txt";
const UNKNOWN_ID = "0197a0c0-0000-7000-8000-000000000000";

/** An error's body, as far as every error has it. Generated types are assigned to it: they must have these members. */
export interface ErrorBody {
  readonly detail: { readonly code: string; readonly message: string };
  readonly request_id: string;
  readonly documentation: string;
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

export const refused = (status: number, error: ErrorBody): { readonly refusal: Refusal } => ({
  refusal: {
    status,
    code: error.detail.code,
    message: error.detail.message,
    requestId: error.request_id,
    documentation: error.documentation,
    fields: error.fields?.map(({ field }) => field) ?? null,
  },
});

/** A proof, as far as it is reported. */
export interface ProofBody {
  readonly id: string;
  readonly sha256: string;
  readonly label: string | null;
  readonly file_name: string | null;
  readonly file_size: number | null;
  readonly created?: boolean;
}

export const registered = (status: number, proof: ProofBody): { readonly value: Registered } => {
  const { id, sha256, label, file_name: fileName, file_size: fileSize, created = false } = proof;
  return { value: { status, id, sha256, label, fileName, fileSize, created } };
};

interface VerifiedBody {
  readonly id: string;
  readonly evidence: { readonly sha256: string };
  readonly verification: { readonly valid: boolean };
}

export const verified = ({ id, evidence, verification }: VerifiedBody): { readonly value: Verified } => ({
  value: { id, sha256: evidence.sha256, valid: verification.valid },
});

function got<Value>(read: Read<Value>): Value {
  if ("refusal" in read) throw new Error(JSON.stringify(read.refusal));
  return read.value;
}

/** Does a task with a client, and prints the report. */
export async function work(clientOf: (baseUrl: string, token: string) => Selo): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? "") as Task;
  const selo = clientOf(task.baseUrl, task.token);
  const file = new File([FILE_TEXT], FILE_NAME, { type: "text/plain" });
  const made = got(await selo.register(task.sha256, task.label, `digest of ${task.label}`.replaceAll(" ", "-")));
  const uploaded = got(await selo.upload(file, task.label, null));
  const found = got(await selo.verify(file));
  const bytes = Buffer.from(await got(await selo.receipt(made.id)).arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const receipt = { sha256: Buffer.from(digest).toString("hex"), begins: bytes.subarray(0, 5).toString("latin1") };
  const pages: Page[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = got(await selo.list(task.pageSize, cursor));
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null);
  const shown: Shown[] = [];
  for (const ask of task.asks) shown.push(await shownOf(clientOf, ask));
  const report: Report = { registered: made, uploaded, verified: found, receipt, pages, shown };
  process.stdout.write(JSON.stringify(report));
}

async function shownOf(clientOf: (baseUrl: string, token: string) => Selo, ask: Ask): Promise<Shown> {
  const direct = globalThis.fetch;
  globalThis.fetch = by(direct, ask);
  try {
    const selo = clientOf(ask.baseUrl, ask.token);
    let read = await asked(selo, ask);
    // A minute may just have begun: its first request is let in, its second is not.
    const isLimited = "refusal" in read && read.refusal.code === "rate_limited";
    if (ask.code === "rate_limited" && !isLimited) read = await asked(selo, ask);
    return { does: ask.does, expected: ask.code, refusal: "refusal" in read ? read.refusal : null };
  } finally {
    globalThis.fetch = direct;
  }
}

function asked(selo: Selo, { does, bytes, key, proofId }: Ask): Promise<Read<unknown>> {
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const file = new File([random(bytes)], FILE_NAME);
  switch (does) {
    case "register":
      return selo.register(Buffer.from(random(32)).toString("hex"), "refused", key);
    case "upload":
      return selo.upload(file, "refused", key);
    case "verify":
      return selo.verify(file);
    case "list":
      return selo.list(1, null);
    case "read":
      return selo.read(UNKNOWN_ID);
    case "receipt":
      return selo.receipt(proofId ?? UNKNOWN_ID);
  }
}

/** A way to the server on which requests are changed. */
function by(direct: typeof fetch, { onTheWay, cookie }: Ask): typeof fetch {
  if (onTheWay === "nothing" && cookie === null) return direct;
  return async (input, init) => {
    const request = new Request(input, init);
    const { method } = request;
    const headers = new Headers(request.headers);
    if (cookie !== null) {
      headers.delete("authorization");
      headers.set("cookie", cookie);
    }
    if (onTheWay === "it asks for a part that no file has") headers.set("range", "bytes=1000000000000-");
    if (onTheWay === "its content type is changed") headers.set("content-type", "text/plain");
    const more = MORE[onTheWay] ?? "";
    const url = request.url + (more === "" ? "" : `${request.url.includes("?") ? "&" : "?"}${more}`);
    if (method === "GET") return direct(url, { method, headers });
    const body = await request.arrayBuffer();
    if (onTheWay === "its end is cut off") return direct(url, { method, headers, body: body.slice(0, -5) });
    const filling = onTheWay === "it is filled up" ? [" ".repeat(1024 * 1024)] : [];
    return direct(url, { method, headers, body: new Blob([body, ...filling]) });
  };
}

/** What an address gets on the way. */
const MORE: Partial<Record<Ask["onTheWay"], string>> = {
  "its address is broken": "a=%",
  "its address has a member more": "unknown=1",
};
