// gzip, br and zstd: of answers of 1 KiB and more that only read; never of streams, files, and what may hold a secret.
import { randomBytes } from "node:crypto";
import http from "node:http";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
let proof: { readonly id: string; readonly verification_code: string };
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  const register = () =>
    call(selo, "POST", "/proofs", { token: organization.test, body: { sha256: randomBytes(32).toString("hex") } });
  const made = await Promise.all(Array.from({ length: 50 }, register));
  proof = made[0]?.body;
});
afterAll(() => selo.stop());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** As the bytes come: fetch would decompress them. */
function ask(
  path: string,
  encoding: string | null,
  { method = "GET", body }: { method?: string; body?: object } = {},
): Promise<Answer> {
  const text = body === undefined ? null : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${organization.test}`,
    ...(encoding === null ? {} : { "accept-encoding": encoding }),
    ...(text === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(selo.baseUrl + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on("error", reject);
    request.end(text ?? undefined);
  });
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

const QUERY = { query: "{ proofs(first: 50) { nodes { id sha256 verificationCode verifyUrl } } }" };
const LIST = "/api/v1/proofs?limit=50";

describe.each(Object.entries(DECODERS))("%s", (coding, decode) => {
  test.each([
    ["a list", LIST, {}],
    ["one proof", null, {}],
    ["a GraphQL query", "/graphql", { method: "POST", body: QUERY }],
  ])("is taken for %s, and holds the same bytes", async (_, path, request) => {
    const where = path ?? `/api/v1/proofs/${proof.id}`;
    const plain = await ask(where, null, request);
    const packed = await ask(where, coding, request);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe(coding);
    expect(packed.headers["content-length"]).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(decode(packed.bytes).equals(plain.bytes)).toBe(true);
    for (const { headers } of [plain, packed]) expect(headers["vary"]).toMatch(/(^|, )Accept-Encoding$/);
  });
});

test("bytes of a list of 50 proofs, with each coding", async () => {
  const sizes: [string, number][] = [];
  for (const coding of [null, ...Object.keys(DECODERS)])
    sizes.push([coding ?? "none", (await ask(LIST, coding)).bytes.length]);
  console.log(`50 proofs: ${sizes.map(([coding, bytes]) => `${coding} ${bytes} bytes`).join(", ")}`);
  // Random contents: two codings may come to the same size.
  const [[, plain = 0] = [], ...packed] = sizes;
  for (const [coding, bytes] of packed) expect([coding, bytes < plain]).toEqual([coding, true]);
});

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["zstd;q=0, br", "br"],
  ["*", "zstd"],
  ["deflate", undefined],
  ["identity", undefined],
  ["gzip;q=0", undefined],
  ["", undefined],
  ["nonsense;;q", undefined],
])("Accept-Encoding: %s is answered with %s", async (accepted, coding) => {
  const { status, headers } = await ask(LIST, accepted);
  expect({ status, coding: headers["content-encoding"] }).toEqual({ status: 200, coding });
});

test("an answer below 1 KiB is sent as it is, and does not vary", async () => {
  const { headers, bytes } = await ask("/api/v1/billing/balance", "gzip, br, zstd");
  expect(bytes.length).toBeLessThan(1024);
  expect([headers["content-encoding"], headers["vary"]]).toEqual([undefined, undefined]);
});

describe("is never taken for", () => {
  const ALL = "gzip, br, zstd";
  const description = "a".repeat(500);

  test("what shows a secret: a new webhook and its new secret, in REST and in GraphQL", async () => {
    const event_types = Array.from({ length: 60 }, (_, place) => (place % 2 === 0 ? "message.*" : "proof.registered"));
    const body = { url: `https://example.com/${"a".repeat(900)}`, event_types, description };
    const made = await ask("/api/v1/webhooks", ALL, { method: "POST", body });
    const { id, secret } = JSON.parse(made.bytes.toString()) as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_/);
    const rotated = await ask(`/api/v1/webhooks/${id}/rotate`, ALL, { method: "POST" });
    const query = `mutation { rotateWebhookSecret(input: {id: "${id}"}) { secret webhook { id url description } } }`;
    const inGraphql = await ask("/graphql", ALL, { method: "POST", body: { query } });
    for (const { headers, bytes } of [made, rotated, inGraphql]) {
      expect(bytes.length).toBeGreaterThanOrEqual(1024);
      expect(bytes.toString()).toContain("whsec_");
      expect(headers["content-encoding"]).toBeUndefined();
    }
    // The same webhook, read: no secret is in it.
    const read = await ask(`/api/v1/webhooks/${id}`, ALL);
    expect(read.headers["content-encoding"]).toBe("zstd");
    expect(zstdDecompressSync(read.bytes).toString()).not.toContain("whsec_");
  });

  test("a file, whole or in part", async () => {
    const { headers, bytes } = await ask(`/api/v1/proofs/${proof.id}/receipt`, ALL);
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["accept-ranges"]).toBe("bytes");
  });

  test("the stream of events", async () => {
    const abort = new AbortController();
    const response = await fetch(`${selo.baseUrl}/api/v1/webhooks/listen`, {
      headers: { authorization: `Bearer ${organization.test}`, "accept-encoding": ALL },
      signal: abort.signal,
    });
    expect({ status: response.status, coding: response.headers.get("content-encoding") }).toEqual({
      status: 200,
      coding: null,
    });
    abort.abort();
  });
});
