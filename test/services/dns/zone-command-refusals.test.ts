// What `selo zone` refuses, and whose key it takes.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { ZoneCommandStage } from "./zone-command-stage.ts";

let stage: ZoneCommandStage;
beforeAll(async () => {
  stage = await ZoneCommandStage.open();
});
afterAll(() => stage?.close());

const UNKNOWN = `dns_00000000_${"A".repeat(43)}`;

test.each<[string, string[], Record<string, string>, RegExp]>([
  ["no key", ["list"], { SELO_DNS_KEY: "" }, /--key \(or SELO_DNS_KEY\) and --url/],
  ["an unknown key", ["list"], { SELO_DNS_KEY: UNKNOWN }, /^unauthenticated: .*dns_…/],
  ["an unknown key as an option, before the variable", ["list", "--key", UNKNOWN], {}, /^unauthenticated: /],
  ["a variable that is no key", ["list"], { SELO_DNS_KEY: "secret" }, /^SELO_DNS_KEY: must be an API key of DNS\n$/],
  ["an unknown zone", ["records", "no-such.test"], {}, /^not_found: .*no-such\.test/],
  ["a name without a dot", ["create", "nodot"], {}, /^invalid_request: name /],
  ["a public suffix", ["create", "com.br"], {}, /^zone_not_allowed: /],
  ["a silent service", ["list", "--url", "http://127.0.0.1:1"], {}, /^http:\/\/127\.0\.0\.1:1: connection refused\n$/],
  ["an address of another protocol", ["list", "--url", "ftp://x"], {}, /must be an http/],
  ["a zone file that is a folder", ["import", "a.test", os.tmpdir()], {}, /^error: .*EISDIR/],
  ["a zone file that is not there", ["import", "a.test", "/nonexistent"], {}, /^error: \/nonexistent: ENOENT/],
  ["restore without an organization", ["restore", "a.test"], {}, /--org/],
])("%s: 1, and the reason on stderr", async (_, words, environment, reason) => {
  const { code, stdout, stderr } = await stage.run(words, environment);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(reason) });
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toContain(stage.customer.token);
});

test("a key without the scope", async () => {
  const zone = await stage.customer.zone();
  const SELO_DNS_KEY = await stage.customer.key(["zone:read"]);
  expect((await stage.run(["list"], { SELO_DNS_KEY })).code).toBe(0);
  const { code, stderr } = await stage.run(["records", zone.name], { SELO_DNS_KEY });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^missing_scope: .*record:read/) });
});

test.each<[string, Uint8Array, RegExp]>([
  ["is not UTF-8", Buffer.from([0x61, 0xe9]), /is not UTF-8\n$/],
  ["has more than 16 MiB", Buffer.alloc(16 * 1024 * 1024 + 1, ";"), /more than 16 MiB\n$/],
])("a zone file that %s is not sent", async (_, content, reason) => {
  const { code, stderr } = await stage.run(["import", "a.test", stage.file(content)]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(reason) });
});

test("an answer of something else is not shown, and a redirect not followed: the key goes nowhere else", async () => {
  const other = await startWebhookReceiver();
  onTestFinished(() => other.close());
  for (const [status, body] of [
    [404, "\u001b[31mred"],
    [200, '{"zones": []}'],
    [302, ""],
  ] as const) {
    const headers = status === 302 ? { location: `${other.url}/elsewhere` } : {};
    other.answer((_request, response) => response.writeHead(status, headers).end(body));
    expect(await stage.run(["list", "--url", `${other.url}/`])).toEqual({
      code: 1,
      stdout: "",
      stderr: `HTTP ${status}: this is not a response from Selo; check --url\n`,
    });
  }
  expect(other.received.map((each) => each.path)).toEqual(["/v1/me", "/v1/me", "/v1/me"]);
});

describe("without a key of one's own", () => {
  /** A data folder as `npm start` leaves it. */
  function started(demo: object): string {
    const data = fs.mkdtempSync(path.join(stage.folder, "data-"));
    const { id, number } = stage.customer.organization;
    const tokens = { live: "svc_live_x", test: "svc_test_x" };
    const members = { base_url: stage.dns.selo.baseUrl, organization: { id, number }, tokens, ...demo };
    fs.writeFileSync(path.join(data, "demo.json"), JSON.stringify(members));
    return data;
  }
  const list = (SELO_DATA_DIR: string, ...words: string[]) =>
    stage.run(["list", ...words], { SELO_DATA_DIR, SELO_DNS_KEY: "", PUBLIC_URL: "" });

  test("the demo organization's is taken, and its service is asked", async () => {
    expect(await list(started({ dns_key: stage.customer.token }))).toMatchObject({ code: 0, stderr: "" });
  });

  test("the demo organization's is sent to no other service", async () => {
    const { code, stderr } = await list(started({ dns_key: stage.customer.token }), "--url", "http://selo.example");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("not to http://selo.example") });
  });

  test("a demo organization of an older version has none, and the error says what helps", async () => {
    const { code, stderr } = await list(started({}));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("npm start") });
  });
});
