/** What others say about signed answers: ldns signs a zone file, BIND's delv validates what a server answers. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import type { ZoneFile } from "./nameserver-processes.ts";
import type { PeerPrograms, SigningPrograms } from "./nameserver-programs.ts";

const run = promisify(execFile);

/** A server, and the DS records by which its zones are trusted: the data of one for each zone. */
export interface SignedServer extends DnsServer {
  readonly ds: Readonly<Record<string, string>>;
}

/** What delv says. */
export type Verdict = "secure" | "secure: no such name" | "secure: no such type" | `not secure: ${string}`;

/** Asks a server for a name and type with delv, which validates the answer by the DS record of the zone. */
export async function verdict(
  { delv, env }: SigningPrograms,
  { host, port, ds }: SignedServer,
  zone: string,
  question: { readonly name: string; readonly type: string },
  folder: string,
): Promise<Verdict> {
  const [tag, algorithm, digestType, ...digest] = (ds[zone] ?? "").split(" ");
  const anchor = path.join(folder, `anchor-${zone}-${port}`);
  fs.writeFileSync(
    anchor,
    `trust-anchors { ${zone}. static-ds ${tag} ${algorithm} ${digestType} "${digest.join("")}"; };\n`,
  );
  const words = [`@${host}`, "-p", String(port), "-a", anchor, `+root=${zone}`, question.name, question.type];
  const { stdout, stderr } = await run(delv, words, { env }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  const said = /^; (.*)$/m.exec(stdout)?.[1];
  if (said === "fully validated") return "secure";
  if (said === "negative response, fully validated") {
    if (/ncache nxdomain/.test(stdout + stderr)) return "secure: no such name";
    if (/ncache nxrrset/.test(stdout + stderr)) return "secure: no such type";
  }
  return `not secure: ${(stderr.trim() || stdout.trim()).slice(0, 300)}`;
}

/** Signs a zone file with a new ECDSA P-256 key and NSEC3 as we do: no more iterations, no salt. */
export async function signedByLdns(
  { keygen, signzone, env }: SigningPrograms,
  { name, file }: ZoneFile,
): Promise<ZoneFile & { readonly ds: string }> {
  const cwd = path.dirname(file);
  const { stdout } = await run(keygen, ["-a", "ECDSAP256SHA256", "-k", name], { cwd, env });
  const key = stdout.trim();
  const signed = `${file}.signed`;
  await run(signzone, ["-n", "-a", "1", "-t", "0", "-f", signed, "-o", name, file, key], { cwd, env });
  // `large.test. IN DS 12345 13 2 abc…`
  const [, ds = ""] = /\sDS\s+(.*)/.exec(fs.readFileSync(path.join(cwd, `${key}.ds`), "utf8")) ?? [];
  return { name, file: signed, ds: ds.trim() };
}

/** The DS record of the key that Knot made for a zone, in SHA-256. */
export async function dsByKnot({ keymgr, env }: PeerPrograms, config: string, zone: string): Promise<string> {
  const { stdout } = await run(keymgr, ["-c", config, zone, "ds"], { env });
  const [, ds = ""] = /\sDS (\d+ \d+ 2 \S+)/.exec(stdout) ?? [];
  return ds;
}
