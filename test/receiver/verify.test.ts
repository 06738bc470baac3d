// The receiver kit, as whoever wants to be believed without the secret would try it, and against other programs.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DeliveryHeaders, verifyWebhook } from "../../src/receiver/verify.ts";
import { signedHeaders } from "../../src/services/webhooks/deliveries/sign.ts";
import { newWebhookSecret } from "../../src/services/webhooks/endpoints/secret.ts";

const NOW = 1_800_000_000;
const now = () => NOW;
const secret = newWebhookSecret();
const VALID = { valid: true };
const fault = (name: "malformed" | "too_old" | "wrong_signature") => ({ valid: false, fault: name });

/** As `openssl` signs: the bytes by a pipe, the key in hexadecimal. */
function byOpenssl(key: string, timestamp: string, body: Buffer): string {
  const hexkey = Buffer.from(key, "utf8").toString("hex");
  const said = execFileSync("openssl", ["dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${hexkey}`], {
    input: Buffer.concat([Buffer.from(`${timestamp}.`), body]),
    encoding: "utf8",
  });
  return `v1=${said.trim().split(/\s+/).at(-1)}`;
}

function byPython(key: string, timestamp: string, body: Buffer): string {
  const program =
    "import hashlib, hmac, sys; print('v1=' + hmac.new(sys.argv[1].encode(), sys.argv[2].encode() + b'.' + sys.stdin.buffer.read(), hashlib.sha256).hexdigest())";
  return execFileSync("python3", ["-c", program, key, timestamp], { input: body, encoding: "utf8" }).trim();
}

const bodies: Record<string, Buffer> = {
  "a text": Buffer.from('{"id":"evt_1"}'),
  "letters of all kinds": Buffer.from('{"label":"Açaí 😀 \u2028 \u0000 ﷽"}'),
  "no byte": Buffer.alloc(0),
  "bytes that are no UTF-8": Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a, 0x0d]),
  "256 KiB": Buffer.alloc(262_144, "é"),
};

const signed = (timestamp: string, signature: string, previous?: string): DeliveryHeaders => ({
  "x-webhook-timestamp": timestamp,
  "x-webhook-signature": signature,
  ...(previous === undefined ? {} : { "x-webhook-signature-previous": previous }),
});
const text = '{"id":"evt_1"}';
const good = signedHeaders(secret, null, NOW, { eventName: "evt_1", attempt: 1, body: text });
const verify = (headers: DeliveryHeaders, body: Uint8Array | string = text, by = secret) =>
  verifyWebhook(by, headers, body, { now });

describe.each([
  ["openssl", byOpenssl],
  ["python3", byPython],
] as const)("%s", (_, sign) => {
  test.each(Object.entries(bodies))("signs %s as we verify it", async (_name, body) => {
    const timestamp = String(NOW);
    const signature = sign(secret, timestamp, body);
    expect(signature).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(await verify(signed(timestamp, signature), body)).toEqual(VALID);
    expect(await verify(signed(timestamp, `v1=${"0".repeat(64)}`, signature), body)).toEqual(VALID);
    expect(await verify(signed(timestamp, sign(newWebhookSecret(), timestamp, body)), body)).toEqual(
      fault("wrong_signature"),
    );
  });

  test("signs a delivery of ours as we do", () => {
    const body = bodies["letters of all kinds"]?.toString("utf8") ?? "";
    const before = newWebhookSecret();
    const headers = signedHeaders(secret, before, NOW, { eventName: "evt_1", attempt: 3, body });
    expect(headers["x-webhook-signature"]).toBe(sign(secret, String(NOW), Buffer.from(body)));
    expect(headers["x-webhook-signature-previous"]).toBe(sign(before, String(NOW), Buffer.from(body)));
  });
});

describe("headers", () => {
  test("are taken from Headers, from node:http's record, and from records that keep their case", async () => {
    const cased = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [
        name.replaceAll(/(^|-)\w/g, (letter) => letter.toUpperCase()),
        value,
      ]),
    );
    expect(cased).toHaveProperty("X-Webhook-Signature");
    for (const headers of [new Headers(good), good, cased]) expect(await verify(headers)).toEqual(VALID);
  });

  test("given twice, in whatever form, or not as text, are none: nobody could say which counts", async () => {
    const signature = good["x-webhook-signature"] ?? "";
    const twice = new Headers(good);
    twice.append("x-webhook-signature", signature);
    for (const headers of [
      twice,
      { ...good, "x-webhook-signature": [signature, signature] },
      { ...good, "x-webhook-signature": [] },
      { ...good, "X-Webhook-Signature": signature },
      { ...good, "x-webhook-signature": undefined },
      { ...good, "x-webhook-signature": { toString: () => signature } as never },
      { ...good, "x-webhook-timestamp": [String(NOW), String(NOW)] },
      { ...good, "x-webhook-timestamp": NOW as never },
      // Inherited, as a polluted prototype would have them.
      Object.create(good) as DeliveryHeaders,
      {},
    ])
      expect(await verify(headers)).toEqual(fault("malformed"));
  });

  test.each([
    ["upper case", (hex: string) => `v1=${hex.toUpperCase()}`],
    ["several values", (hex: string) => `v1=${hex},v1=${hex}`],
    ["several values with spaces", (hex: string) => `v1=${hex} v1=${hex}`],
    ["another version", (hex: string) => `v0=${hex}`],
    ["no version", (hex: string) => hex],
    ["an upper-case version", (hex: string) => `V1=${hex}`],
    ["a space before", (hex: string) => ` v1=${hex}`],
    ["a newline after", (hex: string) => `v1=${hex}\n`],
    ["a header after a newline", (hex: string) => `v1=${hex}\r\nX: y`],
    ["a digit less", (hex: string) => `v1=${hex.slice(1)}`],
    ["a digit more", (hex: string) => `v1=${hex}0`],
    ["letters that are no digits", (hex: string) => `v1=g${hex.slice(1)}`],
    ["digits of another script", (hex: string) => `v1=٣${hex.slice(1)}`],
    ["nothing", () => ""],
    ["only the version", () => "v1="],
  ])("a signature written with %s is malformed, in both places", async (_, write) => {
    const signature = good["x-webhook-signature"] ?? "";
    const written = write(signature.slice(3));
    expect(await verify({ ...good, "x-webhook-signature": written })).toEqual(fault("malformed"));
    expect(await verify({ ...good, "x-webhook-signature-previous": written })).toEqual(fault("malformed"));
  });

  test.each([
    "1e9",
    "+1",
    "-1",
    "0x6b49d200",
    "1.5",
    "",
    " ",
    "NaN",
    "Infinity",
    "9".repeat(13),
    "9".repeat(400),
    `${NOW}\n`,
    ` ${NOW}`,
    "١٨٠٠٠٠٠٠٠٠",
    "1_800_000_000",
  ])("the timestamp %j is malformed, though it is signed", async (timestamp) => {
    expect(await verify(signed(timestamp, byOpenssl(secret, timestamp, Buffer.from(text))))).toEqual(
      fault("malformed"),
    );
  });
});

describe("the time", () => {
  test.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
    [-NOW, false],
  ])("a delivery %d seconds from now: believed is %s", async (seconds, isValid) => {
    const headers = signedHeaders(secret, null, NOW + seconds, { eventName: "evt_1", attempt: 1, body: text });
    expect(await verify(headers)).toEqual(isValid ? VALID : fault("too_old"));
  });

  test("a clock, or a tolerance, that is not a number believes nothing", async () => {
    for (const options of [
      { now: () => Number.NaN },
      { now, toleranceSeconds: Number.NaN },
      { now: () => "soon" as never },
    ])
      expect(await verifyWebhook(secret, good, text, options)).toEqual(fault("too_old"));
  });

  test("without options it is that of this machine, within 300 seconds", async () => {
    const at = (seconds: number) =>
      signedHeaders(secret, null, Math.floor(Date.now() / 1_000) + seconds, {
        eventName: "evt_1",
        attempt: 1,
        body: text,
      });
    expect(await verifyWebhook(secret, at(0), text)).toEqual(VALID);
    expect(await verifyWebhook(secret, at(-310), text)).toEqual(fault("too_old"));
    expect(await verifyWebhook(secret, at(360), text)).toEqual(fault("too_old"));
  });
});

describe("the secret", () => {
  test("that is none is an error and no verdict: anyone could sign with it", async () => {
    for (const none of [
      "",
      "undefined",
      "null",
      "whsec_",
      secret.slice(6),
      `${secret}\n`,
      ` ${secret}`,
      undefined as never,
      null as never,
    ]) {
      const headers = signed(String(NOW), byOpenssl(String(none) || "x", String(NOW), Buffer.from(text)));
      await expect(verifyWebhook(none, headers, text, { now })).rejects.toThrow(TypeError);
    }
  });

  test("before a rotation is good by the previous signature, and only with the header that is its own", async () => {
    const before = newWebhookSecret();
    const oldest = newWebhookSecret();
    const rotated = signedHeaders(secret, before, NOW, { eventName: "evt_1", attempt: 1, body: text });
    expect(await verify(rotated)).toEqual(VALID);
    expect(await verify(rotated, text, before)).toEqual(VALID);
    expect(await verify(rotated, text, oldest)).toEqual(fault("wrong_signature"));
    const { "x-webhook-signature-previous": _, ...without } = rotated;
    expect(await verify(without, text, before)).toEqual(fault("wrong_signature"));
    const { "x-webhook-signature": __, ...only } = rotated;
    expect(await verify(only, text, before)).toEqual(fault("malformed"));
  });
});

describe("the body", () => {
  test("is bytes or text, not what a parser made of it", async () => {
    for (const body of [{}, [], null, undefined, 5, new ArrayBuffer(4), new Uint16Array(4)])
      await expect(verifyWebhook(secret, good, body as never, { now })).rejects.toThrow(TypeError);
  });

  test("may be a part of a larger buffer", async () => {
    const large = Buffer.concat([Buffer.from("before"), Buffer.from(text), Buffer.from("after")]);
    expect(await verify(good, large.subarray(6, 6 + text.length))).toEqual(VALID);
    expect(await verify(good, large)).toEqual(fault("wrong_signature"));
  });

  test("may change while it is verified: what counts is what was given", async () => {
    const bytes = Buffer.from(text);
    const verifying = verify(good, bytes);
    bytes.fill(0);
    expect(await verifying).toEqual(VALID);
  });

  test("as text with a lone surrogate is that with U+FFFD, which is what bytes decode to", async () => {
    const headers = signedHeaders(secret, null, NOW, { eventName: "evt_1", attempt: 1, body: "a\ufffdb" });
    expect(await verify(headers, "a\ud800b")).toEqual(VALID);
    expect(await verify(headers, Buffer.from("a\ufffdb"))).toEqual(VALID);
    expect(await verify(headers, Buffer.from("a?b"))).toEqual(fault("wrong_signature"));
  });
});

describe("whatever it is", () => {
  test("what we sign is believed, by either secret", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }),
        fc.integer({ min: 0, max: 999_999_999_999 }),
        async (body, timestamp) => {
          const [present, previous] = [newWebhookSecret(), newWebhookSecret()];
          const headers = signedHeaders(present, previous, timestamp, { eventName: "evt_1", attempt: 1, body });
          for (const by of [present, previous])
            for (const given of [body, Buffer.from(body)])
              expect(await verifyWebhook(by, headers, given, { now: () => timestamp })).toEqual(VALID);
        },
      ),
    );
  });

  test("one bit changed, of body, signature or time, and it is not", async () => {
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.record({ of: fc.constant("body"), place: fc.nat(bytes.length - 1), bit: fc.nat(7) }),
          fc.record({
            of: fc.constantFrom("x-webhook-signature", "x-webhook-timestamp"),
            place: fc.nat(9),
            bit: fc.nat(6),
          }),
        ),
        async ({ of, place, bit }) => {
          const changed = Buffer.from(of === "body" ? bytes : (good[of] ?? ""));
          changed[place] = (changed[place] ?? 0) ^ (1 << bit);
          const { valid } =
            of === "body" ? await verify(good, changed) : await verify({ ...good, [of]: changed.toString("latin1") });
          expect(valid).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("headers of any kind are answered and never thrown at", async () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string()), fc.constant(undefined));
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            "x-webhook-timestamp": value,
            "x-webhook-signature": value,
            "x-webhook-signature-previous": value,
            get: value,
          },
          { requiredKeys: [] },
        ),
        async (headers) => {
          expect((await verify(headers as DeliveryHeaders)).valid).toBe(false);
        },
      ),
    );
  });
});
