// A time-stamp authority for tests: openssl has root, authorities and keys, and stamps behind HTTP.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { der } from "../../../src/adapters/time-stamp/der.ts";

const CONFIG = `
[ca]
default_ca = ca_default
[ca_default]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
email_in_dn = no
[any]
commonName = supplied
[req]
distinguished_name = name
prompt = no
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[issuer]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[authority]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[no_purpose]
keyUsage = critical, digitalSignature
[not_critical]
extendedKeyUsage = timeStamping
[more_purposes]
extendedKeyUsage = critical, timeStamping, emailProtection
[signer]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, nonRepudiation
[tsa]
default_tsa = tsa_default
[tsa_default]
serial = serial
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
signer_digest = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** The kinds of certificates, by their extensions in the configuration. */
export type Kind = "issuer" | "authority" | "no_purpose" | "not_critical" | "more_purposes" | "signer";

interface Issued {
  readonly by?: string;
  /** From and until: instants as openssl has them. */
  readonly valid?: readonly [from: string, until: string];
  readonly key?: "ec" | "rsa:2048" | "rsa:1024";
}

const NOW_VALID = ["20260101000000Z", "20360101000000Z"] as const;

/** What openssl knows: a folder of keys and certificates, `{name}.pem` and `{name}.key`. */
export class OpensslStage {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-tsa-"));

  constructor() {
    fs.writeFileSync(this.file("openssl.cnf"), CONFIG);
    fs.writeFileSync(this.file("index.txt"), "");
    this.makeRoot("root");
  }

  end(): void {
    fs.rmSync(this.folder, { recursive: true });
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  read(name: string): Buffer {
    return fs.readFileSync(this.file(name));
  }

  /** Writes files, runs openssl in the folder, and gives what it says. */
  says(files: Readonly<Record<string, Uint8Array>>, ...args: readonly string[]): string {
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(this.file(name), content);
    const { stdout, stderr } = spawnSync("openssl", args, {
      cwd: this.folder,
      env: { ...process.env, OPENSSL_CONF: this.file("openssl.cnf") },
    });
    return `${stdout}${stderr}`;
  }

  /** The same of a command that must succeed and writes a file. */
  makes(file: string, files: Readonly<Record<string, Uint8Array>>, ...args: readonly string[]): Buffer {
    fs.rmSync(this.file(file), { force: true });
    const said = this.says(files, ...args);
    if (!fs.existsSync(this.file(file))) throw new Error(`openssl ${args[0]}: ${said}`);
    return this.read(file);
  }

  makeRoot(name: string): void {
    const to = ["-keyout", `${name}.key`, "-out", `${name}.pem`, "-days", "3650"];
    const how = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-extensions", "root"];
    this.makes(`${name}.pem`, {}, "req", "-x509", "-config", "openssl.cnf", "-subj", `/CN=${name}`, ...how, ...to);
  }

  /** Makes a key and its certificate. */
  issue(name: string, kind: Kind, { by = "root", valid = NOW_VALID, key = "ec" }: Issued = {}): void {
    const curve = key === "ec" ? ["-pkeyopt", "ec_paramgen_curve:P-256"] : [];
    const request = ["-config", "openssl.cnf", "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`];
    this.makes(`${name}.csr`, {}, "req", "-new", "-newkey", key, ...curve, "-noenc", ...request);
    const issuer = ["-cert", `${by}.pem`, "-keyfile", `${by}.key`, "-startdate", valid[0], "-enddate", valid[1]];
    const to = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-notext", "-batch", "-extensions", kind];
    this.makes(`${name}.pem`, {}, "ca", "-config", "openssl.cnf", ...issuer, ...to);
  }

  /** The answer of an authority to a query, as `openssl ts` makes it. */
  reply(query: Uint8Array, signer = "authority", chain: readonly string[] = []): Buffer {
    fs.writeFileSync(this.file("chain.pem"), chain.map((name) => this.read(`${name}.pem`)).join(""));
    const more = chain.length > 0 ? ["-chain", "chain.pem"] : [];
    const by = ["-signer", `${signer}.pem`, "-inkey", `${signer}.key`, ...more];
    const args = ["-config", "openssl.cnf", "-queryfile", "query.tsq", ...by, "-out", "reply.tsr"];
    return this.makes("reply.tsr", { "query.tsq": query }, "ts", "-reply", ...args);
  }

  /** The same, signed anew by anybody: `openssl ts` itself refuses such signers. */
  replyBy(query: Uint8Array, signer: string, { digest = "sha256", names = ["-cades"] } = {}): Buffer {
    const good = this.reply(query);
    const token = this.makes(
      "good.tst",
      { "good.tsr": good },
      "ts",
      "-reply",
      "-in",
      "good.tsr",
      "-token_out",
      "-out",
      "good.tst",
    );
    const opened = ["-inform", "DER", "-in", "good.tst", "-noverify", "-out", "info.der"];
    this.makes("info.der", { "good.tst": token }, "cms", "-verify", ...opened);
    const by = ["-signer", `${signer}.pem`, "-inkey", `${signer}.key`, "-md", digest, "-nosmimecap"];
    const how = ["-binary", "-nodetach", ...names, "-econtent_type", "1.2.840.113549.1.9.16.1.4"];
    const made = this.makes(
      "other.tst",
      {},
      "cms",
      "-sign",
      "-in",
      "info.der",
      ...by,
      ...how,
      "-outform",
      "DER",
      "-out",
      "other.tst",
    );
    return der(0x30, der(0x30, der(0x02, Buffer.from([0]))), made);
  }

  /** A query for other bytes, or with another nonce. */
  queryFor(data: Uint8Array): Buffer {
    return this.makes("other.tsq", { data }, "ts", "-query", "-data", "data", "-sha256", "-cert", "-out", "other.tsq");
  }
}

/** How an authority answers a query: with a body; null where it has answered in another way, or does not. */
export type Answers = (query: Buffer, response: http.ServerResponse, request: http.IncomingMessage) => Buffer | null;

/** Serves queries at a loopback address. */
export async function serveAuthority(answers: Answers) {
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = answers(Buffer.concat(pieces), response, request);
      if (body !== null) response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    end: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
