// A receipt that is asked for in parts and with conditions (RFC 9110 §13, §14), for tests.
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";

/** Headers of a request; null: the header is absent. */
export interface Conditions {
  readonly range?: string | null;
  readonly "if-range"?: string | null;
  readonly "if-none-match"?: string | null;
}

export interface ReceiptStage {
  readonly selo: TestGateway;
  readonly organization: TestOrganization;
  /** Its path. */
  readonly receipt: string;
  readonly whole: Buffer;
  readonly etag: string;
  /** What GET without conditions says of the file. */
  readonly headers: Readonly<Record<string, string | null>>;
  register(label?: string): Promise<RestResponse["body"]>;
  ask(conditions: Conditions, method?: string): Promise<RestResponse>;
}

export async function openReceiptStage(): Promise<ReceiptStage> {
  const selo = await startTestGateway();
  const organization = await selo.newOrganization({ name: "Acme" });
  const register = async (label = "Contract 12") => {
    const body = { sha256: randomBytes(32).toString("hex"), label };
    return (await call(selo, "POST", "/proofs", { token: organization.live, body })).body;
  };
  const { id, verification_code: code } = await register();
  const receipt = `/proofs/${id}/receipt`;
  const ask = (conditions: Conditions, method = "GET") => {
    const headers = Object.entries(conditions).filter((entry): entry is [string, string] => entry[1] !== null);
    return call(selo, method, receipt, { token: organization.live, headers: Object.fromEntries(headers) });
  };
  const first = await ask({});
  const etag = first.headers.get("etag") ?? "";
  const headers = {
    "accept-ranges": "bytes",
    "content-disposition": `inline; filename="receipt-${code}.pdf"`,
    "content-length": String(first.bytes.length),
    "content-range": null,
    "content-type": "application/pdf",
    etag,
  };
  return { selo, organization, receipt, whole: first.bytes, etag, headers, register, ask };
}

/** The headers that say what a file is and which part of it came. */
function fileHeaders({ headers }: Pick<RestResponse, "headers">) {
  const names = ["accept-ranges", "content-disposition", "content-length", "content-range", "content-type", "etag"];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

type Expectation = (stage: ReceiptStage, response: RestResponse) => void;

/** The bytes from `start` to `end`, both included; a negative place counts from the end. */
const partOf =
  (start: number, end = -1): Expectation =>
  ({ whole, headers }, response) => {
    const [from, to] = [start, end].map((place) => (place < 0 ? whole.length + place : place)) as [number, number];
    expect(response.status).toBe(206);
    expect(fileHeaders(response)).toEqual({
      ...headers,
      "content-length": String(to - from + 1),
      "content-range": `bytes ${from}-${to}/${whole.length}`,
    });
    expect(response.bytes.equals(whole.subarray(from, to + 1))).toBe(true);
  };

export const expectWhole: Expectation = ({ whole, headers }, response) => {
  expect(response.status).toBe(200);
  expect(fileHeaders(response)).toEqual(headers);
  expect(response.bytes.equals(whole)).toBe(true);
};

const NOTHING = { "content-disposition": null, "content-length": null, "content-range": null, "content-type": null };

export const expectKnown: Expectation = ({ headers }, response) => {
  expect({ status: response.status, text: response.text }).toEqual({ status: 304, text: "" });
  expect(fileHeaders(response)).toEqual({ ...headers, ...NOTHING });
};

const expectNone: Expectation = ({ whole, headers }, response) => {
  expectError(response, 416, "range_not_satisfiable");
  expect(fileHeaders(response)).toEqual({
    ...headers,
    "content-disposition": null,
    "content-length": String(response.bytes.length),
    "content-range": `bytes */${whole.length}`,
    "content-type": "application/json; charset=utf-8",
    etag: null,
  });
};

/** Values of Range, and what each makes of the answer. */
export const RANGES: readonly (readonly [string | null, Expectation])[] = [
  [null, expectWhole],
  ["bytes=0-0", partOf(0, 0)],
  ["bytes=100-199", partOf(100, 199)],
  ["bytes=100-", partOf(100)],
  ["bytes=-100", partOf(-100)],
  ["bytes=0-999999999", partOf(0)],
  ["bytes=-999999999", partOf(0)],
  ["bytes=999999999-", expectNone],
  ["bytes=-0", expectNone],
  ["bytes=0-1,5-6", expectWhole],
  ["bytes=9-1", expectWhole],
  ["bytes=x", expectWhole],
  ["lines=1-2", expectWhole],
];

/** Values of If-None-Match that name the file, and that do not. */
export const knowing = {
  known: ({ etag }: ReceiptStage): readonly string[] => [etag, `W/${etag}`, `"other", ${etag}`, "*"],
  unknown: [null, '"other"', "nonsense"] as const,
};

/** Values of If-Range with which a range counts, and with which it does not. */
export const belonging = {
  same: ({ etag }: ReceiptStage): readonly (string | null)[] => [null, etag],
  other: ({ etag }: ReceiptStage): readonly string[] => ['"other"', `W/${etag}`, new Date().toUTCString(), "nonsense"],
};

export async function expectHead(stage: ReceiptStage, conditions: Conditions): Promise<void> {
  const head = await stage.ask(conditions, "HEAD");
  expect({ status: head.status, ...fileHeaders(head), text: head.text }).toEqual({
    status: 200,
    ...stage.headers,
    text: "",
  });
  expectKnown(stage, await stage.ask({ ...conditions, "if-none-match": stage.etag }, "HEAD"));
}
