// Where a webhook is never posted to: not one connection is made.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "../../../src/adapters/ip-addresses.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { type CountingServer, request, startServer } from "./loopback.ts";

/** Of each special range (IANA's registries of special-purpose addresses) an address, the first or the last. */
const SPECIAL = [
  ..."0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255".split(" "),
  ..."169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.170 192.0.2.1".split(" "),
  ..."192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1".split(" "),
  ..."224.0.0.1 239.255.255.255 240.0.0.0 255.255.255.255 168.63.129.16".split(" "),
  ...":: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808".split(
    " ",
  ),
  ..."64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 3fff::1".split(
    " ",
  ),
  ..."5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::a9fe:a9fe fec0::1 ff02::1 ffff::1 4000::1".split(" "),
];
const PUBLIC = [
  ..."1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0".split(" "),
  ..."169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255".split(" "),
  ..."198.20.0.0 223.255.255.255 2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450::1 2003::1".split(" "),
];
/** Of 127.0.0.1, ::1 and 0.0.0.0, as URLs may write them. */
const SPELLINGS = [
  ..."127.0.0.1 127.0.0.1. 127.1 127.0.1 0x7f.1 0x7f000001 0x7F.0x0.0x0.0x1 0177.0.0.1 017700000001 2130706433".split(
    " ",
  ),
  ..."%31%32%37.0.0.1 １２７.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 0 0.0.0.0 0x0 [::] [::1] [0:0:0:0:0:0:0:1]".split(" "),
  ..."[0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]".split(
    " ",
  ),
  ..."[::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::1]".split(" "),
  ..."localhost LOCALHOST localhost. LocalHost。 hook.localhost hook.local hook.internal hook.home.arpa intranet".split(
    " ",
  ),
];

let server: CountingServer;
let dns: DnsServer;
let sender: WebhookSender;
beforeAll(async () => {
  server = await startServer(undefined, ["127.0.0.1", "::1"]);
  dns = await startDnsServer();
  sender = new WebhookSender({ resolver: new DnsResolver([dns.address]), attemptMs: 5_000 });
});
afterAll(async () => {
  await sender?.close();
  await server?.close();
  await dns?.close();
});

describe("an address", () => {
  test.each(SPECIAL)("%s is nobody's on the internet", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(PUBLIC)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test("what is none is not public", () => {
    for (const text of ["", "example.com", "1.2.3.4.5", "[::1]", "8.8.8.8/8"])
      expect(isPublicAddress(text)).toBe(false);
  });

  test("this machine itself are 127.0.0.0/8 and ::1 only", () => {
    const loopback = SPECIAL.filter((address) => isLoopbackAddress(address));
    expect(loopback).toEqual(["127.0.0.1", "127.255.255.255", "::1"]);
  });
});

describe("in the text of the address", () => {
  const literal = (address: string) => (address.includes(":") ? `[${address}]` : address);

  test.each([...SPELLINGS, ...SPECIAL.map(literal)])("https://%s is refused, with no connection", async (host) => {
    const answer = await sender.send(request(`https://${host}:${server.port}/hook`));
    expect(answer).toMatchObject({ status: null, body: null, errorCode: "url_refused" });
    expect(server.connections).toBe(0);
  });

  test.each([...SPELLINGS, ...SPECIAL.map(literal)])(
    "http://%s is refused where the deployment or the environment does not allow it",
    async (host) => {
      const answer = await sender.send(request(`http://${host}:${server.port}/hook`, { allowLoopback: false }));
      expect(answer.errorCode).toBe("url_refused");
      expect(server.connections).toBe(0);
    },
  );

  test.each([...SPECIAL.filter((address) => !isLoopbackAddress(address)).map(literal), "example.com", "hook.internal"])(
    "http://%s is refused even where this machine itself is allowed",
    async (host) => {
      expect((await sender.send(request(`http://${host}:${server.port}/hook`))).errorCode).toBe("url_refused");
      expect(server.connections).toBe(0);
    },
  );

  test.each([
    "https://u:p@hook.example.com/",
    "ftp://hook.example.com/",
    "https://hook.example.com:80/",
    "https://",
    "hook",
  ])("%s is refused", async (url) => {
    expect((await sender.send(request(url))).errorCode).toBe("url_refused");
    expect(dns.queries).toEqual([]);
  });
});

describe("behind a name", () => {
  const isV6 = (address: string) => address.includes(":");

  test.each(SPECIAL)("%s is refused, with no connection", async (address) => {
    dns.names.set("hook.example.com", (kind) => ((kind === "AAAA") === isV6(address) ? [address] : []));
    const answer = await sender.send(request(`https://hook.example.com:${server.port}/hook`));
    expect(answer).toMatchObject({ status: null, errorCode: "address_refused" });
    expect(server.connections).toBe(0);
  });

  test.each([
    [["8.8.8.8", "127.0.0.1"], []],
    [["127.0.0.1", "8.8.8.8"], []],
    [["8.8.8.8"], ["::1"]],
    [["127.0.0.1"], ["2606:4700:4700::1111"]],
  ])("one private address among public ones is enough: %j %j", async (v4, v6) => {
    dns.names.set("mixed.example.com", (kind) => (kind === "A" ? v4 : v6));
    const answer = await sender.send(request(`https://mixed.example.com:${server.port}/hook`));
    expect(answer.errorCode).toBe("address_refused");
    expect(server.connections).toBe(0);
  });

  test("a name with a dot at its end is the same name", async () => {
    dns.names.set("hook.example.com", (kind) => (kind === "A" ? ["127.0.0.1"] : []));
    const answer = await sender.send(request(`https://hook.example.com.:${server.port}/hook`));
    expect(answer.errorCode).toBe("address_refused");
    expect(server.connections).toBe(0);
  });
});
