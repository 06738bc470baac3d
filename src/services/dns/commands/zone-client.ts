import { request } from "undici";
import { z } from "zod";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { connectionReason } from "../../../surfaces/cli/connection-reason.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { zoneName } from "../zones/ascii-name.ts";

/** An import of the largest file takes its time before the first byte of the answer. */
const ANSWER_MS = 180_000;
const SILENCE_MS = 30_000;
/** Most bytes of an answer: the records of the largest plan in one zone are less than half of it. */
const MOST_BYTES = 500 * 1024 * 1024;

const me = z.object({ org_id: z.int() });
const zone = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  nameservers: z.array(z.string()).nullable(),
  dnssec_enabled: z.boolean(),
  checked_at: z.iso.datetime().nullable(),
});
const record = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  content: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  disabled: z.boolean(),
  comment: z.string().nullable(),
});
const importResult = z.object({
  imported: z.int(),
  deleted: z.int(),
  skipped: z.int(),
  skipped_records: z.array(
    z.object({ line: z.int().nullable(), name: z.string(), type: z.string(), reason: z.string(), detail: z.string() }),
  ),
  warnings: z.array(z.object({ message: z.string() })),
  dry_run: z.boolean(),
});
const setup = z.object({
  assigned_ns: z.array(z.string()),
  current_ns: z.array(z.string()).nullable(),
  delegated: z.boolean(),
  parent_ns: z.array(z.string()).nullable(),
  parent_ds: z.array(z.string()).nullable(),
  ds_to_publish: z.array(z.string()),
  instructions: z.array(z.object({ step: z.int(), title: z.string(), text: z.string(), done: z.boolean() })),
});
const dnssec = z.object({
  enabled: z.boolean(),
  keys: z.array(
    z.object({
      key_id: z.int(),
      active: z.boolean(),
      ds_records: z.array(z.string()),
      algorithm: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
  chain: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
const refusal = z.object({
  detail: z.string(),
  code: z.string(),
});

export type Zone = z.output<typeof zone>;
export type ZoneRecordRow = z.output<typeof record>;
export type Setup = z.output<typeof setup>;
export type Dnssec = z.output<typeof dnssec>;
export type ImportResult = z.output<typeof importResult>;

type Method = "GET" | "POST" | "DELETE";

/** What a request has beside its path. */
interface More {
  readonly sent?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a file is imported. */
export interface ImportOptions {
  readonly dry_run: boolean;
  readonly replace: boolean;
  readonly clamp_ttl: boolean;
}

/**
 * A client of the REST API of DNS. Answers have all members that the service sent. Each call throws CommandRefused: for an error of the service with its code
 * and words, for a connection that failed, and for an answer of another program.
 */
export class ZoneClient {
  readonly #url: string;
  readonly #key: string;
  #path: Promise<string> | null = null;

  /** @param url the address of the service, without a slash at its end */
  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** All zones by name. */
  async zones(): Promise<Zone[]> {
    return parsed(z.array(zone), await this.#ask("GET", await this.#ofOrganization()));
  }

  /** The zone of this name, in upper or lower case, with or without a final dot. */
  async zone(name: string): Promise<Zone> {
    const wanted = zoneName(name);
    const found = (await this.zones()).find((each) => each.name === wanted);
    if (found === undefined)
      throw new CommandRefused(`not_found: the organization of the key has no zone named ${wanted}`);
    return found;
  }

  async create(name: string): Promise<Zone> {
    return parsed(zone, await this.#ask("POST", await this.#ofOrganization(), { name }));
  }

  async delete({ id }: Zone): Promise<void> {
    await this.#ask("DELETE", `${await this.#ofOrganization()}/${id}`);
  }

  /** Checks the delegation of a zone now. */
  async check({ id }: Zone): Promise<Zone> {
    return parsed(zone, await this.#ask("POST", `${await this.#ofOrganization()}/${id}/check-delegation`));
  }

  /**
   * How a zone becomes active, and the language of the words.
   * @param language null: that of the organization
   */
  async setup({ id }: Zone, language: string | null): Promise<{ readonly answer: Setup; readonly language: string }> {
    const headers = language === null ? {} : { "accept-language": language };
    const { text, answered } = await this.#whole("GET", `${await this.#ofOrganization()}/${id}/setup`, { headers });
    return { answer: parsed(setup, text), language: String(answered["content-language"] ?? "en") };
  }

  /** The keys of a zone, and what the parent published of them at the last check. */
  async dnssec({ id }: Zone): Promise<Dnssec> {
    return parsed(dnssec, await this.#ask("GET", `${await this.#ofOrganization()}/${id}/dnssec`));
  }

  /** Records by name and type; those of a name or a type, if one is given. */
  async records(
    { id }: Zone,
    filter: { readonly name?: string; readonly type?: string } = {},
  ): Promise<ZoneRecordRow[]> {
    const query = new URLSearchParams(Object.entries(filter));
    return parsed(
      z.array(record),
      await this.#ask("GET", `${await this.#ofOrganization()}/${id}/records${query.size > 0 ? `?${query}` : ""}`),
    );
  }

  /** @param file the text of a zone file */
  async import({ id }: Zone, file: string, options: ImportOptions): Promise<ImportResult> {
    const body = { bind_file: file, ...options };
    return parsed(importResult, await this.#ask("POST", `${await this.#ofOrganization()}/${id}/import`, body));
  }

  /** Has the service ask the domain's present nameservers for common names, and import what they answer. */
  async scan({ id }: Zone, options: Omit<ImportOptions, "replace">): Promise<ImportResult> {
    const body = { quick_scan: true, ...options };
    return parsed(importResult, await this.#ask("POST", `${await this.#ofOrganization()}/${id}/import`, body));
  }

  /** The text of a zone file. */
  async export({ id }: Zone): Promise<string> {
    return this.#ask("GET", `${await this.#ofOrganization()}/${id}/export`);
  }

  /** The path of the zones of the key's organization. */
  #ofOrganization(): Promise<string> {
    this.#path ??= this.#ask("GET", "/me").then((text) => `/orgs/${parsed(me, text).org_id}/zones`);
    return this.#path;
  }

  async #ask(method: Method, path: string, sent?: object): Promise<string> {
    return (await this.#whole(method, path, sent === undefined ? {} : { sent })).text;
  }

  async #whole(method: Method, path: string, more: More) {
    const { statusCode, text, answered } = await this.#answer(method, path, more).catch((error: unknown) => {
      throw error instanceof CommandRefused ? error : new CommandRefused(`${this.#url}: ${connectionReason(error)}`);
    });
    // A redirect is refused, too: the key goes nowhere else.
    if (statusCode < 200 || statusCode > 299) throw refused(statusCode, text);
    return { text, answered };
  }

  async #answer(method: Method, path: string, { sent, headers }: More) {
    const {
      statusCode,
      body,
      headers: answered,
    } = await request(`${this.#url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...headers,
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
      body: sent === undefined ? null : JSON.stringify(sent),
      headersTimeout: ANSWER_MS,
      bodyTimeout: SILENCE_MS,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new CommandRefused(`${this.#url}: the response has more than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
    }
    return { statusCode, answered, text: Buffer.concat(chunks).toString("utf8") };
  }
}

const other = (status: string) => new CommandRefused(`${status}: this is not a response from Selo; check --url`);

/** An answer as it came, once its members are as expected. */
function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const value = json(text);
  if (!schema.safeParse(value).success) throw other("HTTP 200");
  return value as z.output<Schema>;
}

function refused(status: number, text: string): CommandRefused {
  const { data } = refusal.safeParse(json(text));
  if (data === undefined) return other(`HTTP ${status}`);
  // The detail may have words of a zone file.
  return new CommandRefused(printable(`${data.code}: ${data.detail}`));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
