// Which addresses a webhook may have: message-webhooks part A §2, and every spelling of what is inside a network.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let loopback: { readonly baseUrl: string; stop(): Promise<void> };
let organization: TestOrganization;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway();
  loopback = await startGatewayBeside(selo, { WEBHOOK_ALLOW_LOOPBACK: "1" });
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.live);
});
afterAll(async () => {
  await loopback?.stop();
  await selo?.stop();
});

const PRIVATE = "must not be a private or reserved address";
const LOCAL = "must not be a local name";
const NAME = "must have a host name";
const HTTPS = "must be an https:// address";
const PORT = "must have port 443 or a port from 1024";
const LABEL = "must have a host name with at most 63 characters between dots";
const NAME_LENGTH = "must have a host name with at most 253 characters";
const NO_URL = "must be a URL such as https://example.com/webhooks";
const LENGTH = "must have at most 2048 characters";
const CREDENTIALS = "must not hold credentials";

const refused: Readonly<Record<string, readonly [reason: string, ...urls: string[]]>> = {
  "not https": [
    HTTPS,
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:,x",
  ],
  "http to a public host, a port of https' included": [HTTPS, "http://example.com:443/", "http://8.8.8.8/"],
  "no URL": [
    NO_URL,
    "example.com/hook",
    "/hook",
    "",
    "https://",
    "https://exa mple.com/",
    "https://example.com:99999/",
  ],
  "with a host label over 63 characters, as ASCII": [
    LABEL,
    `https://${"a".repeat(64)}.example.com/`,
    `https://hook.${"a".repeat(64)}.com./`,
    `https://${"é".repeat(60)}.example.com/`,
    `http://${"a".repeat(64)}.localhost:3000/`,
  ],
  "with a host name over 253 characters": [NAME_LENGTH, `https://${"a.".repeat(125)}com/x`.replace("com", "comm")],
  "with credentials": [
    CREDENTIALS,
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://:x@example.com/",
  ],
  "a port below 1024 that is not 443": [
    PORT,
    "https://example.com:1/",
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:442/",
    "https://example.com:444/",
    "https://example.com:1023/",
  ],
  "loopback in every spelling": [
    PRIVATE,
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0177.1/",
    "https://127.255.255.254/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://127%2e0%2e0%2e1/",
    "https://１２７.０.０.１/",
    "https://127。0。0。1/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[0000::0001]/",
  ],
  "this host": [
    PRIVATE,
    "https://0/",
    "https://0.0.0.0/",
    "https://0x0/",
    "https://00/",
    "https://[::]/",
    "https://0.1.2.3/",
  ],
  "private networks": [
    PRIVATE,
    "https://10.0.0.1/",
    "https://10.255.255.255/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://3232235777/",
    "https://0xc0a80101/",
    "https://0300.0250.1.1/",
  ],
  "link-local and metadata": [
    PRIVATE,
    "https://169.254.169.254/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://169.254.0.1/",
    "https://[fe80::1]/",
    "https://[febf::1]/",
    "https://[fd00:ec2::254]/",
    "https://168.63.129.16/",
  ],
  "carrier-grade NAT, benchmarking, documentation, reserved": [
    PRIVATE,
    "https://100.64.0.1/",
    "https://100.127.255.255/",
    "https://198.18.0.1/",
    "https://192.0.2.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://192.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[2001:db8::1]/",
  ],
  multicast: [PRIVATE, "https://224.0.0.1/", "https://239.255.255.255/", "https://[ff02::1]/", "https://[ff0e::1]/"],
  "IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo": [
    PRIVATE,
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:ffff:10.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::127.0.0.1]/",
    "https://[::7f00:1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a9fe:a9fe::1]/",
    "https://[2001:0:7f00:1::]/",
    "https://[2001::1]/",
  ],
  "unique local and other IPv6 that nobody reaches": [
    PRIVATE,
    "https://[fc00::1]/",
    "https://[fdff::1]/",
    "https://[fec0::1]/",
    "https://[100::1]/",
    "https://[5f00::1]/",
    "https://[4000::1]/",
    "https://[2001:10::1]/",
    "https://[2001:20::1]/",
  ],
  "names of this machine and of local networks": [
    LOCAL,
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://localhost:8443/",
    "https://a.localhost/",
    "https://a.b.localhost./",
    "https://printer.local/",
    "https://printer.LOCAL./",
    "https://vault.internal/",
    "https://metadata.google.internal/",
    "https://a.internal./",
    "https://ｌｏｃａｌｈｏｓｔ/",
    "https://%6cocalhost/",
    "https://intranet/",
    "https://intranet./",
  ],
  "names with an empty label, which the URL standard takes": [
    NAME,
    "https://localhost../",
    "https://127.0.0.1../",
    "https://.localhost/",
    "https://a..example.com/",
    "https://./",
  ],
  "2,049 characters, also once normalised": [
    LENGTH,
    `https://example.com/${"a".repeat(2_029)}`,
    `https://example.com/${"é".repeat(700)}`,
  ],
};
const taken: Readonly<Record<string, readonly (readonly [given: string, kept?: string])[]>> = {
  "https, whatever the port is from 1024": [
    ["https://example.com/"],
    ["https://example.com:1024/"],
    ["https://example.com:8443/a?b=c"],
    ["https://example.com:65535/"],
  ],
  "the port of https, left out": [["https://example.com:443/hook", "https://example.com/hook"]],
  "written as the URL standard has it": [
    ["HTTPS://EXAMPLE.com", "https://example.com/"],
    ["https://exämple.com/é", "https://xn--exmple-cua.com/%C3%A9"],
    ["https://example.com/a/../b", "https://example.com/b"],
    ["https://example.com/hook#part", "https://example.com/hook"],
    ["https://example.com./", "https://example.com./"],
  ],
  "public addresses": [
    ["https://8.8.8.8/"],
    ["https://134744072/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/"],
    ["https://172.32.0.1/"],
    ["https://172.15.255.255/"],
    ["https://100.63.255.255/"],
    ["https://11.0.0.1/"],
  ],
  "names that only look local": [
    ["https://localhost.example.com/"],
    ["https://notlocalhost.com/"],
    ["https://internal.example.com/"],
    ["https://local.dev/"],
  ],
  "2,048 characters": [[`https://example.com/${"a".repeat(2_028)}`]],
};

describe("refused with 422 that says why", () => {
  test.each(Object.entries(refused))("%s", async (_, [reason, ...urls]) => {
    for (const url of urls) {
      const answer = await webhooks.ask("POST", "/webhooks", { url, event_types: ["*"] });
      expectError(answer, 422, "invalid_request", ["url"]);
      expect({ url, message: answer.body.fields[0].message }).toEqual({ url, message: reason });
    }
  });

  test("of a test token, and where a webhook is changed, no less", async () => {
    const tests = webhookCaller(selo, organization.test);
    const { id, url } = await tests.register();
    for (const address of Object.values(refused).flatMap(([, ...urls]) => urls)) {
      expectError(await tests.ask("POST", "/webhooks", { url: address, event_types: ["*"] }), 422, "invalid_request", [
        "url",
      ]);
      expectError(await tests.ask("PATCH", `/webhooks/${id}`, { url: address }), 422, "invalid_request", ["url"]);
    }
    expect((await tests.ask("GET", `/webhooks/${id}`)).body.url).toBe(url);
    expect((await tests.ask("GET", "/webhooks")).body.total).toBe(1);
  });

  test.each([null, 1, true, {}, ["https://example.com/"]])("a url that is %j", async (url) => {
    expectError(await webhooks.ask("POST", "/webhooks", { url, event_types: ["*"] }), 422, "invalid_request", ["url"]);
  });
});

describe("taken", () => {
  test.each(Object.entries(taken))("%s", async (_, urls) => {
    for (const [url, kept = url] of urls) {
      const { id, url: shown } = await webhooks.register({ url });
      expect(shown).toBe(kept);
      expect((await webhooks.ask("PATCH", `/webhooks/${id}`, { url })).body.url).toBe(kept);
      await webhooks.ask("DELETE", `/webhooks/${id}`);
    }
  });
});

describe("http:// to loopback", () => {
  const addresses = [
    "http://127.0.0.1:3000/hook",
    "http://localhost:3000/hook",
    "http://[::1]:3000/hook",
    "http://127.1:80/",
    "http://app.localhost/",
  ];

  test("is for test tokens with WEBHOOK_ALLOW_LOOPBACK=1", async () => {
    for (const url of addresses) {
      const body = { url, event_types: ["*"] };
      const token = organization.test;
      const made = await webhooks.ask("POST", "/webhooks", body, { token });
      expectError(made, 422, "invalid_request", ["url"]);
      expect(made.body.fields[0].message).toBe(HTTPS);
      const allowed = webhookCaller({ ...selo, baseUrl: loopback.baseUrl }, token);
      const { id } = await allowed.register(body);
      expect((await allowed.ask("PATCH", `/webhooks/${id}`, { url })).status).toBe(200);
      await allowed.ask("DELETE", `/webhooks/${id}`);
    }
  });

  test("is refused to live tokens there, too", async () => {
    const live = webhookCaller({ ...selo, baseUrl: loopback.baseUrl }, organization.live);
    const { id } = await live.register();
    for (const url of addresses) {
      for (const answer of [
        await live.ask("POST", "/webhooks", { url, event_types: ["*"] }),
        await live.ask("PATCH", `/webhooks/${id}`, { url }),
      ]) {
        expectError(answer, 422, "invalid_request", ["url"]);
        expect(answer.body.fields[0].message).toBe(
          "must be an https:// address; only test tokens may use an address of this machine",
        );
      }
    }
  });

  test("opens nothing else: no other host, no https, no other scheme", async () => {
    const tests = webhookCaller({ ...selo, baseUrl: loopback.baseUrl }, organization.test);
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/",
      "http://example.com/",
      "http://0.0.0.0/",
      "http://[::ffff:10.0.0.1]/",
      "https://127.0.0.1/",
      "https://localhost/",
      "ws://localhost/",
    ])
      expectError(await tests.ask("POST", "/webhooks", { url, event_types: ["*"] }), 422, "invalid_request", ["url"]);
  });
});
