import { X509Certificate } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import {
  checkRevocation,
  type Revocation,
  type RevocationOptions,
} from "../../../src/adapters/signer-certificate/check-revocation.ts";
import { readStatement } from "../../../src/adapters/signer-certificate/child/read-statement.ts";
import { type Judged, judgeCertificate } from "../../../src/adapters/signer-certificate/judge-certificate.ts";
import { createRevocationCache } from "../../../src/adapters/signer-certificate/revocation-cache.ts";
import { MOST_ANSWER_BYTES, RevocationFetcher } from "../../../src/adapters/signer-certificate/revocation-fetcher.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { type Made, rsaKey } from "../certificates/pkcs12-files.ts";
import { type CountingServer, selfSigned, startServer } from "../outgoing-http/loopback.ts";
import { AUTHORITY, crlOf, derOf, type Entry, HOLDER, issue, ocspOf, rootsOf, withSerials } from "./authority.ts";

/** An hour from now: certificates that a slow machine makes later are valid then, too. */
const now = new Date(Date.now() + 3_600_000);
/** As openssl writes times, hours from now. */
const hours = (count: number, form: "long" | "short" = "long"): string => {
  const text = new Date(now.getTime() + count * 3_600_000).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return form === "long" ? text : text.slice(2);
};
const REVOKED = hours(-2, "short");

/** What a place of the authorities' server answers. */
type Answer = Buffer | ((request: Buffer, response: http.ServerResponse) => Buffer | null);

const answers = new Map<string, Answer>();
let asked: string[] = [];
const server = http.createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const place = request.url ?? "";
    asked.push(`${request.method} ${place}`);
    const answer = answers.get(place);
    if (answer === undefined) {
      response.writeHead(404).end("no such place");
      return;
    }
    const bytes = typeof answer === "function" ? answer(Buffer.concat(pieces), response) : answer;
    if (bytes) response.end(bytes);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const serialOf = ({ certificate }: Made): string => new X509Certificate(certificate).serialNumber;
const asksAt = (place: string, base = at): string[] => [
  `authorityInfoAccess=OCSP;URI:${base}/ocsp/${place}`,
  `crlDistributionPoints=URI:${base}/crl/${place}`,
];
const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", extensions: AUTHORITY });
const middle = issue({
  subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste",
  issuer: root,
  extensions: [...AUTHORITY, ...asksAt("root").slice(1)],
});
const leaf = issue({ subject: "/CN=JOAO", issuer: middle, extensions: [...HOLDER, ...asksAt("middle")] });
const roots = await rootsOf(root);
const good: Entry = { serial: serialOf(leaf) };
const revoked: Entry = { serial: serialOf(leaf), revoked: `${REVOKED},keyCompromise` };
const rootCrl = crlOf(root, []);

/** The response of the authority's responder, or of whoever it is. */
const ocsp =
  (entries: readonly Entry[], about: Partial<Parameters<typeof ocspOf>[1]> = {}): Answer =>
  (request) =>
    ocspOf(request, { issuer: middle, entries, ...about });

async function judged(made: Made = leaf, above: Made = middle): Promise<Judged> {
  const answer = await judgeCertificate({ chain: [derOf(made), derOf(above)], roots, at: now, cpf: null });
  if ("refused" in answer) throw new Error(answer.message);
  return answer;
}

const path = await judged();
let dns: DnsServer;
let fetcher: RevocationFetcher;
const slots = new FairSlots(2);
beforeAll(async () => {
  dns = await startDnsServer();
  fetcher = new RevocationFetcher({ resolver: new DnsResolver([dns.address]) });
});
afterEach(() => {
  answers.clear();
  asked = [];
});
afterAll(async () => {
  await dns?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Given extends RevocationOptions {
  readonly path?: Judged;
  readonly cache?: ReturnType<typeof createRevocationCache>;
  readonly at?: Date;
  readonly allowLoopback?: boolean;
}

function check(places: Readonly<Record<string, Answer>>, given: Given = {}): Promise<Revocation> {
  answers.clear();
  for (const [place, answer] of Object.entries({ "/crl/root": rootCrl, ...places })) answers.set(place, answer);
  const { path: checked = path, cache = createRevocationCache(), at: time = now, allowLoopback = true } = given;
  return checkRevocation({ ...checked, at: time, allowLoopback, group: "a" }, { fetcher, cache, slots }, given);
}

describe("an OCSP responder", () => {
  test("that openssl plays says that a certificate is good", async () => {
    const found = await check({ "/ocsp/middle": ocsp([good]) });
    expect(found).toMatchObject({ status: "good", revokedAt: null, problems: [] });
    expect(found.sources.map(({ kind, url, certificate }) => ({ kind, url, certificate }))).toEqual([
      { kind: "ocsp", url: `${at}/ocsp/middle`, certificate: 0 },
      { kind: "crl", url: `${at}/crl/root`, certificate: 1 },
    ]);
    expect(found.sources[1]?.bytes).toEqual(rootCrl);
    expect(found.sources[0]?.nextUpdate?.getTime()).toBeGreaterThan(now.getTime());
    expect(asked.sort()).toEqual(["GET /crl/root", "POST /ocsp/middle"]);
  });

  test("says when a certificate was revoked", async () => {
    const found = await check({ "/ocsp/middle": ocsp([revoked]) });
    expect(found.status).toBe("revoked");
    expect(hours(-2, "short")).toBe(
      found.revokedAt
        ?.toISOString()
        .replaceAll(/[-:T]|\.\d+/g, "")
        .slice(2),
    );
  });

  test("may have its own certificate of the issuer, made for that", async () => {
    const made = (extensions: readonly string[], about: { issuer?: Made; days?: number } = {}) =>
      issue({ subject: "/CN=Responder", issuer: middle, extensions, ...about });
    const delegate = made(["keyUsage=digitalSignature", "extendedKeyUsage=OCSPSigning", "noCheck=ignored"]);
    expect(await check({ "/ocsp/middle": ocsp([good], { signer: delegate }) })).toMatchObject({ status: "good" });
    const byKey = ocsp([good], { signer: delegate, more: ["-resp_key_id"] });
    expect(await check({ "/ocsp/middle": byKey })).toMatchObject({ status: "good" });
    const others = [
      made(["keyUsage=digitalSignature"]),
      made(["keyUsage=digitalSignature", "extendedKeyUsage=OCSPSigning"], { issuer: root }),
      leaf,
      issue({ subject: "/CN=AC de Teste", extensions: ["extendedKeyUsage=OCSPSigning"] }),
    ];
    for (const signer of others)
      expect(await check({ "/ocsp/middle": ocsp([good], { signer }) })).toMatchObject({
        status: "unknown",
        problems: [
          { problem: "neither the issuer nor a responder of the issuer signed it" },
          { problem: "http_status" },
        ],
      });
  });

  test("whose own certificate has ended is not believed", async () => {
    const extensions = ["keyUsage=digitalSignature", "extendedKeyUsage=OCSPSigning"];
    const signer = issue({ subject: "/CN=Responder", issuer: middle, extensions, days: 1 });
    const response = ocspOf(path.revocation[0]?.request ?? Buffer.alloc(0), {
      issuer: middle,
      signer,
      entries: [good],
      days: 5,
    });
    const later = new Date(now.getTime() + 2 * 86_400_000);
    expect(await check({ "/ocsp/middle": response })).toMatchObject({ status: "good" });
    expect(await check({ "/ocsp/middle": response }, { at: later })).toMatchObject({ status: "unknown" });
  });

  test("that answers about another serial says nothing", async () => {
    const other = issue({ subject: "/CN=MARIA", issuer: middle, extensions: [...HOLDER, ...asksAt("middle")] });
    const request = (await judged(other)).revocation[0]?.request ?? Buffer.alloc(0);
    const response = ocspOf(request, { issuer: middle, entries: [{ serial: serialOf(other) }] });
    expect(await check({ "/ocsp/middle": response })).toMatchObject({
      status: "unknown",
      problems: [{ problem: "it is about another certificate" }, {}],
    });
    expect((await check({ "/ocsp/middle": response }, { path: await judged(other) })).status).toBe("good");
  });

  test("that does not know the certificate, refuses, or answers anything leaves it to the list", async () => {
    const list = crlOf(middle, []);
    const kinds: Answer[] = [
      ocsp([]),
      Buffer.from("30030a0106", "hex"), // unauthorized
      Buffer.from("<html>"),
      Buffer.alloc(0),
      Buffer.alloc(100_000, 0x30),
      list,
    ];
    for (const answer of kinds) {
      const found = await check({ "/ocsp/middle": answer, "/crl/middle": list });
      expect(found).toMatchObject({ status: "good", problems: [{ url: `${at}/ocsp/middle` }] });
      expect(found.sources[0]).toMatchObject({ kind: "crl", url: `${at}/crl/middle` });
    }
  });

  test("with an old answer or one of the future says nothing", async () => {
    const request = path.revocation[0]?.request ?? Buffer.alloc(0);
    const response = ocspOf(request, { issuer: middle, entries: [good] });
    const days = (count: number) => ({ at: new Date(now.getTime() + count * 86_400_000) });
    expect(await check({ "/ocsp/middle": response }, days(2))).toMatchObject({
      problems: expect.arrayContaining([{ url: `${at}/ocsp/middle`, problem: "it is too old" }]),
    });
    expect(await check({ "/ocsp/middle": response }, days(-1))).toMatchObject({
      problems: expect.arrayContaining([{ url: `${at}/ocsp/middle`, problem: "it begins in the future" }]),
    });
  });

  test("whose clock is some minutes off is believed, at both ends (netty/netty 17283)", async () => {
    const request = path.revocation[0]?.request ?? Buffer.alloc(0);
    const response = ocspOf(request, { issuer: middle, entries: [good], days: null, more: ["-nmin", "10"] });
    const made = Date.now();
    for (const [minutes, status] of [
      [-3, "good"],
      [13, "good"],
      [20, "unknown"],
    ] as const)
      expect(await check({ "/ocsp/middle": response }, { at: new Date(made + minutes * 60_000) })).toMatchObject({
        status,
      });
  });

  test("with any byte flipped says nothing, nor does a list", () => {
    const [certificate, issuer] = path.path.map((der) => der.toString("base64"));
    const request = path.revocation[0]?.request ?? Buffer.alloc(0);
    const kinds = {
      ocsp: ocspOf(request, { issuer: middle, entries: [revoked], more: ["-resp_no_certs"] }),
      crl: crlOf(middle, [revoked]),
    } as const;
    for (const kind of ["ocsp", "crl"] as const) {
      const order = { task: "revocation", kind, certificate: certificate ?? "", issuer: issuer ?? "" } as const;
      const read = (bytes: Buffer) => readStatement({ ...order, at: now.toISOString() }, bytes).status;
      expect(read(kinds[kind])).toBe("revoked");
      for (let place = 0; place < kinds[kind].length; place += 1) {
        const flipped = Buffer.from(kinds[kind]);
        flipped[place] = (flipped[place] ?? 0) ^ (1 << (place & 7));
        expect(read(flipped), `${kind} ${place}`).toBe("unknown");
      }
    }
  });

  test("that is slow is left for the list; with neither, the answer is unknown at the end of the time", async () => {
    const silent: Answer = () => null;
    const list = crlOf(middle, []);
    const found = await check({ "/ocsp/middle": silent, "/crl/middle": list }, { ocspMs: 200 });
    expect(found).toMatchObject({ status: "good", problems: [{ url: `${at}/ocsp/middle`, problem: "timeout" }] });
    const drips: Answer = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("0"), 20);
      response.on("close", () => clearInterval(timer));
      return null;
    };
    const none = await check({ "/ocsp/middle": silent, "/crl/middle": drips }, { ocspMs: 50, wholeMs: 1_500 });
    expect(none).toMatchObject({ status: "unknown", problems: [{ problem: "timeout" }, { problem: "timeout" }] });
  });
});

describe("a list", () => {
  /** With a responder that has nothing to say. */
  const byList = (list: Answer, given: Given = {}) => check({ "/crl/middle": list }, given);
  const problemOf = async (list: Answer, given: Given = {}) => {
    const found = await byList(list, given);
    return found.problems.find(({ url }) => url.endsWith("/crl/middle"))?.problem ?? found.status;
  };

  test("that openssl makes says which certificates are revoked", async () => {
    expect(await byList(crlOf(middle, []))).toMatchObject({ status: "good" });
    expect(await byList(crlOf(middle, [{ serial: "0A", revoked: REVOKED }]))).toMatchObject({ status: "good" });
    const found = await byList(crlOf(middle, [{ serial: "0A", revoked: REVOKED }, revoked]));
    expect(found).toMatchObject({ status: "revoked", sources: [{ kind: "crl", certificate: 0 }, {}] });
    expect(found.revokedAt?.getTime()).toBe(Math.floor(now.getTime() / 1000) * 1000 - 2 * 3_600_000);
  });

  test("of the authority above revokes the signer's authority", async () => {
    const list = crlOf(root, [{ serial: serialOf(middle), revoked: REVOKED }]);
    const found = await check({ "/ocsp/middle": ocsp([good]), "/crl/root": list });
    expect(found).toMatchObject({ status: "revoked", sources: [{ certificate: 0 }, { certificate: 1 }] });
  });

  test("of the authority above that cannot be had leaves all unknown", async () => {
    const found = await check({ "/ocsp/middle": ocsp([good]), "/crl/root": Buffer.from("words") });
    expect(found).toMatchObject({ status: "unknown", sources: [{ certificate: 0 }] });
  });

  test("that has ended, begins in the future or names no end says nothing", async () => {
    expect(await problemOf(crlOf(middle, [], { from: hours(-48), to: hours(-1) }))).toBe("it is too old");
    expect(await problemOf(crlOf(middle, [], { from: hours(1), to: hours(48) }))).toBe("it begins in the future");
    expect(await problemOf(crlOf(middle, [], { from: hours(-48), to: hours(1) }))).toBe("good");
  });

  test("of another issuer says nothing: of another name, or of another key", async () => {
    expect(await problemOf(rootCrl)).toBe("it is of another issuer");
    const fake = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste", extensions: AUTHORITY });
    expect(await problemOf(crlOf(fake, []))).toBe("the issuer did not sign it");
  });

  test("with a weak signature, changes alone, another scope or an unknown condition says nothing", async () => {
    const rsa = issue({
      subject: "/CN=RSA",
      key: rsaKey(),
      issuer: root,
      extensions: [...AUTHORITY, ...asksAt("root")],
    });
    const below = issue({ subject: "/CN=JOAO", issuer: rsa, extensions: [...HOLDER, ...asksAt("middle")] });
    const weak = crlOf(rsa, [], { digest: "sha1" });
    expect(await problemOf(weak, { path: await judged(below, rsa) })).toBe("its signature is too weak");
    expect(await problemOf(crlOf(rsa, []), { path: await judged(below, rsa) })).toBe("good");
    const scope = (lines: readonly string[]) => problemOf(crlOf(middle, [], { extensions: lines }));
    const point = (...lines: readonly string[]) =>
      scope(["issuingDistributionPoint=critical,@point", "[point]", ...lines]);
    expect(await scope(["deltaCRL=critical,ASN1:INTEGER:1"])).toBe("it has changes alone");
    expect(await scope(["1.2.3.4=critical,ASN1:NULL"])).toBe("it has a condition that is unknown (1.2.3.4)");
    expect(await point("onlyCA=TRUE")).toBe("it is for other certificates");
    expect(await point("indirectCRL=TRUE")).toBe("it is for other certificates");
    expect(await point("onlyuser=TRUE")).toBe("good");
    expect(await point(`fullname=URI:${at}/crl/middle`)).toBe("good");
    expect(await point(`fullname=URI:${at}/crl/other`)).toBe("it is for other certificates");
  });

  test("of an issuer that may not sign lists says nothing", async () => {
    const extensions = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign", ...asksAt("root")];
    const issuer = issue({ subject: "/CN=Mute", issuer: root, extensions });
    const below = issue({ subject: "/CN=JOAO", issuer, extensions: [...HOLDER, ...asksAt("middle")] });
    expect(await problemOf(crlOf(issuer, []), { path: await judged(below, issuer) })).toBe(
      "the issuer may not sign such lists",
    );
  });

  test("of 10 MiB is read; one byte more is not", async () => {
    const many = Array.from({ length: 209_000 }, (_, number) =>
      (0x1000_0000_0000 + number).toString(16).padStart(32, "a"),
    );
    const sample = { serial: many[0]?.toUpperCase() ?? "", revoked: `${REVOKED},keyCompromise` };
    const list = withSerials(crlOf(middle, [sample, revoked]), many, middle);
    expect(list.length).toBeGreaterThan(0.99 * MOST_ANSWER_BYTES);
    expect(list.length).toBeLessThanOrEqual(MOST_ANSWER_BYTES);
    expect(await byList(list)).toMatchObject({ status: "revoked" });
    expect(await problemOf(Buffer.alloc(MOST_ANSWER_BYTES))).toBe("it cannot be read");
    expect(await problemOf(Buffer.alloc(MOST_ANSWER_BYTES + 1))).toBe("response_too_large");
  });
});

describe("an address", () => {
  const at443 = (urls: readonly string[]): Judged => ({
    ...path,
    revocation: path.revocation.map((plan) => ({ ...plan, ocsp: urls.slice(0, 1), crl: urls.slice(1) })),
  });
  let trap: CountingServer;
  beforeAll(async () => {
    trap = await startServer(undefined, ["127.0.0.1", "::1"]);
  });
  afterAll(() => trap?.close());

  test.each([
    ["of a cloud's metadata", "http://169.254.169.254/latest/meta-data/", "url_refused"],
    ["that is private", "http://10.0.0.1/ocsp", "url_refused"],
    ["of this machine, in other digits", "http://0x7f.1:PORT/ocsp", "url_refused"],
    ["of this machine", "http://127.0.0.1:PORT/ocsp", "url_refused"],
    ["of this machine, by IPv6", "http://[::1]:PORT/ocsp", "url_refused"],
    ["with a local name", "http://localhost:PORT/ocsp", "url_refused"],
    ["with credentials", "http://a:b@ocsp.example/", "url_refused"],
    ["with the port of another protocol", "http://ocsp.example:25/", "url_refused"],
    ["that is no web address", "ftp://ocsp.example/", "url_refused"],
  ])("%s is refused without a connection", async (_, url, failure) => {
    const address = url.replace("PORT", String(trap.port));
    const before = trap.connections;
    const found = await check({}, { path: at443([address, address]), allowLoopback: false });
    expect(found.status).toBe("unknown");
    expect(new Set(found.problems.map(({ problem }) => problem))).toEqual(new Set([failure]));
    expect(trap.connections).toBe(before);
  });

  test("whose name leads to this machine or to a private one is refused without a connection", async () => {
    dns.names.set("lcr.example.com", (kind) => (kind === "A" ? ["127.0.0.1"] : []));
    dns.names.set("mixed.example.com", (kind) => (kind === "A" ? ["8.8.8.8", "169.254.169.254"] : []));
    for (const name of ["lcr.example.com", "mixed.example.com"]) {
      const before = trap.connections;
      const found = await check({}, { path: at443([`http://${name}:${trap.port}/`]), allowLoopback: true });
      expect(new Set(found.problems.map(({ problem }) => problem))).toEqual(new Set(["address_refused"]));
      expect(trap.connections).toBe(before);
    }
  });

  test("that is public is asked over http and https, where it is allowed", async () => {
    dns.names.set("lcr.example.com", (kind) => (kind === "A" ? ["127.0.0.1"] : []));
    const own = new RevocationFetcher({ resolver: new DnsResolver([dns.address]), isAllowed: () => true });
    answers.set("/crl/middle", rootCrl);
    const url = `${at.replace("127.0.0.1", "lcr.example.com")}/crl/middle`;
    const question = { url, body: null, allowLoopback: false, signal: AbortSignal.timeout(10_000) };
    expect(await own.fetch(question)).toEqual(rootCrl);
    expect(await own.fetch({ ...question, url: url.replace("http:", "https:") })).toBe("tls_failed");
    const certificate = selfSigned("lcr.example.com");
    const secure = https.createServer(certificate, (_, response) => void response.end("over TLS"));
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const { port } = secure.address() as AddressInfo;
    const trusting = new RevocationFetcher({
      resolver: new DnsResolver([dns.address]),
      isAllowed: () => true,
      ca: certificate.cert,
    });
    const found = await trusting.fetch({ ...question, url: `https://lcr.example.com:${port}/` });
    expect(found.toString()).toBe("over TLS");
    await new Promise((resolve) => secure.close(resolve));
  });

  test("that redirects is not followed", async () => {
    const redirects: Answer = (_, response) => {
      response.writeHead(302, { location: `${at}/crl/root` }).end();
      return null;
    };
    const found = await check({ "/ocsp/middle": redirects, "/crl/middle": redirects });
    expect(found.problems.map(({ problem }) => problem)).toEqual(["redirect", "redirect"]);
    expect(asked.filter((each) => each.endsWith("/crl/root"))).toHaveLength(1);
  });

  test("with any number of interim answers, headers or trailers is left", async () => {
    const kinds = [
      "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n",
      `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}`,
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n0\r\n",
    ];
    for (const kind of kinds) {
      const flood = await startServer((socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(kind));
        };
        socket.on("data", () => more()).on("drain", more);
      });
      const url = `http://127.0.0.1:${flood.port}/`;
      const outcome = await fetcher.fetch({
        url,
        body: null,
        allowLoopback: true,
        signal: AbortSignal.timeout(30_000),
      });
      expect(outcome).toBeTypeOf("string");
      expect(outcome).not.toBe("timeout");
      await flood.close();
    }
  });
});

describe("what is kept", () => {
  test("is not asked for again until its next update", async () => {
    const cache = createRevocationCache();
    const places = { "/ocsp/middle": ocsp([good]) };
    const first = await check(places, { cache });
    const before = asked.length;
    expect(await check(places, { cache })).toEqual(first);
    expect(asked).toHaveLength(before);
    const nextUpdate = first.sources[0]?.nextUpdate?.getTime() ?? 0;
    await check(places, { cache, at: new Date(nextUpdate + 1000) });
    expect(asked.filter((each) => each === "POST /ocsp/middle")).toHaveLength(2);
  });

  test("serves others of the same list, each by its own serial", async () => {
    const cache = createRevocationCache();
    const other = issue({ subject: "/CN=MARIA", issuer: middle, extensions: [...HOLDER, ...asksAt("middle")] });
    const places = { "/crl/middle": crlOf(middle, [{ serial: serialOf(other), revoked: REVOKED }]) };
    expect(await check(places, { cache })).toMatchObject({ status: "good" });
    expect(await check(places, { cache, path: await judged(other) })).toMatchObject({ status: "revoked" });
    expect(asked.filter((each) => each === "GET /crl/middle")).toHaveLength(1);
  });

  test("is nothing that says nothing, and no answer without a next update", async () => {
    const cache = createRevocationCache();
    await check({ "/ocsp/middle": ocsp([]), "/crl/middle": Buffer.from("words") }, { cache });
    const places = { "/ocsp/middle": ocsp([good], { days: null }) };
    for (let time = 0; time < 2; time += 1)
      expect(await check(places, { cache })).toMatchObject({ status: "good", sources: [{ nextUpdate: null }, {}] });
    expect(asked.filter((each) => each === "POST /ocsp/middle")).toHaveLength(3);
    expect(asked.filter((each) => each === "GET /crl/root")).toHaveLength(1);
    const nextDay = new Date(now.getTime() + 25 * 3_600_000);
    const response = ocspOf(path.revocation[0]?.request ?? Buffer.alloc(0), {
      issuer: middle,
      entries: [good],
      days: null,
    });
    expect(await check({ "/ocsp/middle": response }, { at: nextDay })).toMatchObject({ status: "unknown" });
  });
});

test("an aborted check throws its reason", async () => {
  const stop = new AbortController();
  const stops: Answer = () => {
    stop.abort(new Error("stop"));
    return null;
  };
  const running = check({ "/ocsp/middle": stops }, { signal: stop.signal });
  await expect(running).rejects.toThrow("stop");
});
