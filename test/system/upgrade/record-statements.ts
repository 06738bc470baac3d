// Loaded into a gateway (node --import) by make-dump.ts: writes each statement it asks of Postgres, and what came back, as a
// line of JSON. It patches the driver because no version of ours has a place for this.
import fs from "node:fs";
import pg from "pg";
import type { PipelinedReads, Read } from "../../../src/postgres/pipelined-reads.ts";

interface Result {
  readonly fields?: readonly { readonly name: string }[];
  readonly rows?: readonly { readonly status?: number }[];
}
type Callback = (error: Error | null, result?: Result | readonly Result[]) => void;
type Query = (this: pg.Client, query: string | { text: string; values?: unknown[] }, ...more: unknown[]) => unknown;

const file = process.env["RECORD_STATEMENTS_TO"] ?? "";
/** Lines of the transactions that are open: written together, since other connections ask meanwhile. */
const open = new WeakMap<pg.Client, string[]>();
const client = pg.Client.prototype as unknown as { query: Query };
const original = client.query;
client.query = function (query, ...more) {
  if (typeof query === "object" && "reads" in query) {
    recordReads(query as unknown as PipelinedReads);
    return original.call(this, query);
  }
  const text = typeof query === "string" ? query : query.text;
  const values = (typeof query === "string" ? more.find(Array.isArray) : query.values) ?? [];
  const write = (result?: Result | readonly Result[]) => {
    // A simple query of several statements has several results; the last one is what was asked for.
    const last = Array.isArray(result) ? (result.at(-1) as Result) : (result as Result | undefined);
    const statuses = last?.rows?.flatMap(({ status }) => status ?? []) ?? [];
    const columns = last?.fields?.map(({ name }) => name) ?? [];
    const line = { text, values: encoded(values), columns, rows: last?.rows?.length ?? 0, statuses };
    const lines = open.get(this) ?? [];
    lines.push(`${JSON.stringify(line)}\n`);
    if (/^begin\b/.test(text)) open.set(this, lines);
    if (/^(commit|rollback)\b/.test(text)) open.delete(this);
    if (!open.has(this)) fs.appendFileSync(file, lines.join(""));
  };
  const place = more.findIndex((argument) => typeof argument === "function");
  if (place >= 0) {
    const done = more[place] as Callback;
    more[place] = ((error, result) => {
      if (!error) write(result);
      done(error, result);
    }) satisfies Callback;
    return original.call(this, query, ...more);
  }
  return (original.call(this, query, ...more) as Promise<Result>).then((result) => {
    write(result);
    return result;
  });
};

/** Reads that are sent as one, as they are asked again: one after the other. What begins a read answers a row without columns. */
function recordReads(query: PipelinedReads): void {
  const { callback } = query;
  query.callback = (error) => {
    const lines = query.results.flatMap(({ fields, rows }, place) => {
      const read = query.reads[place];
      const asked = ({ text, values }: Read["statement"]) => ({
        text,
        values: values.map(encoded),
        columns: [] as string[],
        rows: 1,
        statuses: [],
      });
      if (read === undefined) return [];
      return [
        { ...asked({ text: "begin read only", values: [] }), rows: 0 },
        ...(read.begin.text.includes("transaction_read_only") ? [] : [asked(read.begin)]),
        { ...asked(read.statement), columns: fields.map(({ name }) => name), rows: rows.length },
        { ...asked({ text: "commit", values: [] }), rows: 0 },
      ];
    });
    fs.appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    callback(error);
  };
}

function encoded(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { hex: value.toString("hex") };
  return Array.isArray(value) ? value.map(encoded) : value;
}
