import { createPublicKey, randomBytes, X509Certificate } from "node:crypto";
import fs from "node:fs";
import tls from "node:tls";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFile } from "../../../src/adapters/certificates/child/read-file.ts";
import {
  MOST_PKCS12_BYTES,
  Pkcs12Error,
  Pkcs12Unread,
  readPkcs12,
} from "../../../src/adapters/certificates/read-pkcs12.ts";
import { processesOf } from "../../support/checkers.ts";
import { byLane } from "../../support/lane.ts";
import {
  byForge,
  byOpenssl,
  certificateOf,
  damaged,
  ecKey,
  inPieces,
  type Made,
  openssl,
  rsaKey,
  samePrivateKey,
  withNumber,
} from "./pkcs12-files.ts";

const CNPJ = "2.16.76.1.3.3";
const PASSWORD = "senha-do-A1";
const made = (key: string, about: Parameters<typeof certificateOf>[1] = {}): Made => ({
  key,
  certificate: certificateOf(key, about),
});
const rootKey = rsaKey();
const root = made(rootKey, { subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", isAuthority: true });
const middleKey = rsaKey();
const middle = made(middleKey, { subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste", isAuthority: true, issuer: root });
const company = made(rsaKey(), {
  issuer: middle,
  alternativeNames: [
    "otherName.0=2.16.76.1.3.4;FORMAT:ASCII,OCTETSTRING:0101198012345678909000000000000000000000000",
    `otherName.1=${CNPJ};FORMAT:ASCII,OCTETSTRING:12345678000195`,
    "email=fiscal@padaria.example",
  ],
});
const file = byOpenssl(company, PASSWORD);

/** As the program does it, in this process. */
const readHere: typeof readPkcs12 = async (bytes, password) => {
  const answer = readFile(bytes, password);
  if ("refused" in answer) throw new Pkcs12Error(answer.refused);
  const { not_before, not_after, ...read } = answer.read;
  return { ...read, not_before: new Date(not_before), not_after: new Date(not_after) };
};
/** Each kind of result comes from the program once, and all of them in read-pkcs12.full.test.ts. */
const readAnother = byLane({ lane: readHere, full: readPkcs12 });

async function refusal(
  bytes: Buffer,
  password = PASSWORD,
  options: Parameters<typeof readPkcs12>[2] = {},
  read = readPkcs12,
) {
  const error: unknown = await read(bytes, password, options).then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Pkcs12Error)) throw error ?? new Error("the file was read");
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  return [error.member, error.reason];
}

test("what a file of today's openssl holds", async () => {
  const read = await readPkcs12(file, PASSWORD);
  const certificate = new X509Certificate(company.certificate);
  expect(read).toEqual({
    key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
    certificate: company.certificate,
    chain: [],
    subject: "C=BR, O=ICP-Brasil, CN=Padaria São João Ltda:12345678000195",
    issuer: "C=BR, O=ICP-Brasil, CN=AC de Teste",
    serial: openssl(["x509", "-noout", "-serial"], {}, company.certificate).toString().trim().slice("serial=".length),
    sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    not_before: certificate.validFromDate,
    not_after: certificate.validToDate,
    cnpj: "12345678000195",
    key_bits: 2048,
  });
  expect(samePrivateKey(read.key, company.key)).toBe(true);
  tls.createSecureContext({ key: read.key, cert: read.certificate });
});

describe("files of other programs", () => {
  const isRead = async (bytes: Buffer, password = PASSWORD, read = readPkcs12) => {
    const { certificate, key } = await read(bytes, password);
    expect(certificate).toBe(company.certificate);
    expect(samePrivateKey(key, company.key)).toBe(true);
  };

  test("RC2-40 and 3DES, which OpenSSL 3 and so Node refuse", async ({ skip }) => {
    let legacy: Buffer | undefined;
    try {
      legacy = byOpenssl(company, PASSWORD, ["-legacy"]);
    } catch {
      skip("this openssl comes without its legacy provider");
    }
    if (!legacy) return;
    const pfx = legacy;
    expect(() => tls.createSecureContext({ pfx, passphrase: PASSWORD })).toThrow("Unsupported PKCS12 PFX data");
    await isRead(pfx);
    expect(await refusal(pfx, "another")).toEqual(["password", "wrong_password"]);
  });

  test.for([
    ["3DES by node-forge", byForge(company, PASSWORD, { algorithm: "3des" })],
    ["AES-256 by node-forge", byForge(company, PASSWORD, { algorithm: "aes256" })],
    ["a MAC of SHA-512", byOpenssl(company, PASSWORD, ["-macalg", "sha512"])],
    ["nothing encrypted", byOpenssl(company, PASSWORD, ["-keypbe", "NONE", "-certpbe", "NONE"])],
    ["without a MAC", byOpenssl(company, PASSWORD, ["-nomac"])],
    ["with names for people", byOpenssl(company, PASSWORD, ["-name", "Padaria São João", "-caname", "AC"])],
    ["BER, in pieces", inPieces(file)],
    ["with a line end after it", Buffer.concat([file, Buffer.from("\r\n")])],
  ] as const)("%s", ([, bytes]) => isRead(bytes, PASSWORD, readAnother));

  test("the certificate's own bytes are kept", async () => {
    const { certificate, sha256 } = await readPkcs12(byForge(company, PASSWORD), PASSWORD);
    expect(new X509Certificate(certificate).raw).toEqual(new X509Certificate(company.certificate).raw);
    expect(new X509Certificate(certificate).verify(new X509Certificate(middle.certificate).publicKey)).toBe(true);
    expect(sha256).toHaveLength(64);
  });

  test.for(["", "senha com espaço ", "pão&maçã", "żółw", "🔑chave", "a".repeat(200)])(
    "the password %j, by openssl and node-forge",
    async (password) => {
      // The program is given what is empty, and what has four bytes a character.
      const read = ["", "🔑chave"].includes(password) ? readPkcs12 : readAnother;
      await Promise.all([
        isRead(byOpenssl(company, password), password, read),
        isRead(byForge(company, password, { algorithm: "3des" }), password, read),
        refusal(file, password, {}, read).then((told) => expect(told).toEqual(["password", "wrong_password"])),
      ]);
    },
  );

  test("passwords as old programs write them", async () => {
    const bytewise = Buffer.from("maçã").toString("latin1"); // OpenSSL before 1.1.0
    await isRead(byForge(company, bytewise, { algorithm: "3des" }), "maçã");
    await isRead(byOpenssl(company, "maçã"), "maçã".normalize("NFD"));
    await isRead(byForge(company, null), ""); // nothing is encrypted, and the MAC has no password at all
  });
});

describe("which certificate, which key", () => {
  test.for([
    ["the leaf first", [company.certificate, middle.certificate, root.certificate]],
    ["the root first", [root.certificate, middle.certificate, company.certificate]],
    [
      "with an unrelated certificate",
      [root.certificate, certificateOf(rsaKey()), company.certificate, middle.certificate],
    ],
  ] as const)("several certificates: %s", async ([, certificates]) => {
    const [first = "", ...more] = certificates;
    const read = await readPkcs12(byForge({ key: company.key, certificate: first }, PASSWORD, {}, more), PASSWORD);
    expect(read.certificate).toBe(company.certificate);
    expect(read.chain).toEqual([middle.certificate, root.certificate]);
    expect(read.cnpj).toBe("12345678000195");
  });

  test("an expired certificate is read: the caller sees its end", async () => {
    const expired = made(company.key, { to: "yesterday" });
    const read = await readPkcs12(byOpenssl(expired, PASSWORD), PASSWORD);
    expect(read.not_after.getTime()).toBeLessThan(Date.now());
    expect(read.cnpj).toBeNull();
  });

  test.for([
    [`otherName.0=${CNPJ};PRINTABLESTRING:12ABC34501DE35`, "12ABC34501DE35"],
    [`otherName.0=${CNPJ};UTF8:12345678000195`, "12345678000195"],
    [`otherName.0=${CNPJ};UTF8:12.345.678/0001-95`, null],
    [`otherName.0=${CNPJ};FORMAT:ASCII,OCTETSTRING:00000000000`, null],
    ["otherName.0=2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:01011980123456789090000000000", null],
    ["DNS.0=padaria.example", null],
  ] as const)("the CNPJ of %s is %s", async ([name, cnpj]) => {
    const certificate = certificateOf(company.key, { alternativeNames: [name] });
    const read = readFile(byOpenssl({ key: company.key, certificate }, PASSWORD), PASSWORD);
    expect("read" in read && read.read.cnpj).toBe(cnpj);
  });
});

describe("refused", () => {
  const files: readonly (readonly [name: string, bytes: () => Buffer, reason: string])[] = [
    ["an RSA key of 1024 bits", () => byOpenssl(made(rsaKey(1024)), PASSWORD), "key_too_short"],
    ["an elliptic key", () => byOpenssl(made(ecKey()), PASSWORD), "key_not_rsa"],
    ["the key of another certificate", () => byForge({ ...company, key: rootKey }, PASSWORD), "key_mismatch"],
    [
      "a key whose public half fits alone",
      () => byForge({ ...company, key: damaged(company.key) }, PASSWORD),
      "key_mismatch",
    ],
    ["no key", () => byOpenssl(company, PASSWORD, ["-nokeys"]), "no_key"],
    ["no certificate", () => byOpenssl(company, PASSWORD, ["-nocerts"]), "no_certificate"],
    ["a cipher that is not read", () => byOpenssl(company, PASSWORD, ["-keypbe", "camellia-256-cbc"]), "unsupported"],
    ["a digest that is not read", () => byOpenssl(company, PASSWORD, ["-macalg", "sha3-256"]), "unsupported"],
    ["a truncated file", () => file.subarray(0, -1), "malformed"],
    ["half a file", () => file.subarray(0, file.length / 2), "malformed"],
    ["no bytes", () => Buffer.alloc(0), "malformed"],
    ["chance", () => Buffer.concat([Buffer.of(0x30, 0x82), randomBytes(3000)]), "malformed"],
    ["a certificate without PKCS#12", () => new X509Certificate(company.certificate).raw, "malformed"],
    ["PEM", () => Buffer.from(company.key + company.certificate), "malformed"],
    ["base64 of a file", () => Buffer.from(file.toString("base64")), "malformed"],
    ["a Java keystore", () => Buffer.from("feedfeed00000002000000010000000100056d796b6579", "hex"), "malformed"],
    ["values in values, 20,000 deep", () => Buffer.alloc(40_000, Buffer.of(0x30, 0x80)), "malformed"],
    [
      "a byte more than 64 KiB",
      () => Buffer.concat([file, Buffer.alloc(MOST_PKCS12_BYTES + 1 - file.length)]),
      "too_large",
    ],
  ];
  test.for(files)("%s", async ([name, bytes, reason]) => {
    const [first] = files.find((each) => each[2] === reason) ?? [];
    // The stack of the program is its own.
    const read = name === first || name.startsWith("values in values") ? readPkcs12 : readAnother;
    expect(await refusal(bytes(), PASSWORD, {}, read)).toEqual(["file", reason]);
  });

  test("64 KiB are read", async () => {
    const padded = Buffer.concat([file, Buffer.alloc(MOST_PKCS12_BYTES - file.length)]);
    expect((await readPkcs12(padded, PASSWORD)).key_bits).toBe(2048);
  });

  test("a wrong password, also where the file has no MAC", async () => {
    expect(await refusal(file, "senha-do-a1")).toEqual(["password", "wrong_password"]);
    expect(await refusal(byOpenssl(company, PASSWORD, ["-nomac"]), "senha-do-a1")).toEqual([
      "password",
      "wrong_password",
    ]);
    expect(await refusal(file, "a".repeat(5000))).toEqual(["password", "wrong_password"]);
  });
});

describe("bombs", () => {
  const bomb = withNumber(file, 100, 10_000_000);
  /** As many iterations as are allowed. */
  const slow = withNumber(byForge(company, PASSWORD, { algorithm: "3des" }), 100, 1_000_000);

  test.for([
    ["of the MAC", bomb],
    ["of the key, without a MAC", withNumber(byForge(company, PASSWORD, { useMac: false }), 100, 10_000_000)],
    ["of 3DES", withNumber(byForge(company, PASSWORD, { useMac: false, algorithm: "3des" }), 100, 10_000_000)],
    ["more than fit in 32 bits", withNumber(file, 100, 2 ** 40)],
  ] as const)("ten million iterations %s", async ([, bytes]) => {
    const read = bytes === bomb ? readPkcs12 : readAnother;
    expect(await refusal(bytes, PASSWORD, {}, read)).toEqual(["file", "too_many_iterations"]);
  });

  test("time ends a file that needs too much, and this process goes on meanwhile", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    expect(await refusal(slow, PASSWORD, { limits: { cpuSeconds: 0.2 } })).toEqual(["file", "too_slow"]);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test("memory", async () => {
    expect(await refusal(file, PASSWORD, { limits: { residentBytes: 16 * 1024 * 1024 } })).toEqual([
      "file",
      "too_much_memory",
    ]);
  });

  test("a machine that is too busy is no fault of the file", async () => {
    await expect(readPkcs12(slow, PASSWORD, { limits: { wallSeconds: 0.05 } })).rejects.toThrow(Pkcs12Unread);
  });

  test("nobody sees the password from outside, and who asked may go away", async ({ skip }) => {
    skip(process.platform !== "linux", "looks into /proc, which Linux has");
    const abort = new AbortController();
    const reading = readPkcs12(slow, PASSWORD, { signal: abort.signal });
    const gone = expect(reading).rejects.toThrow("the client went away");
    let pid = 0;
    await expect
      .poll(() => {
        [pid = 0] = processesOf(process.pid, "certificates/child/main");
        return pid;
      })
      .toBeGreaterThan(0);
    // So that it does not end before it was looked at.
    process.kill(pid, "SIGSTOP");
    const seen = ["cmdline", "environ"].map((name) => fs.readFileSync(`/proc/${pid}/${name}`, "latin1"));
    expect(seen.join("")).toContain("child/main");
    expect(seen.join("")).not.toContain(PASSWORD);
    abort.abort(new Error("the client went away"));
    await gone;
    expect(processesOf(process.pid, "certificates/child/main")).toEqual([]);
  });
});

test("no byte that is changed makes the program fail, and none gives another key", () => {
  const plain = byOpenssl(company, PASSWORD, ["-keypbe", "NONE", "-certpbe", "NONE", "-nomac"]);
  const place = fc.integer({ min: 0, max: 9999 });
  fc.assert(
    fc.property(
      fc.constantFrom(file, plain),
      place,
      fc.integer({ min: 1, max: 255 }),
      (from, tenThousandths, change) => {
        const bytes = Buffer.from(from);
        const at = Math.floor((tenThousandths / 10_000) * bytes.length);
        bytes.writeUInt8(bytes.readUInt8(at) ^ change, at);
        const answer = readFile(bytes, PASSWORD);
        if ("refused" in answer) return;
        const { key, certificate } = answer.read;
        expect(new X509Certificate(certificate).publicKey.equals(createPublicKey(company.key))).toBe(true);
        expect(createPublicKey(key).equals(createPublicKey(company.key))).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
