import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** A released version, as its dump remembers it: the `.json` beside each `.backup`. */
export interface Release {
  /** File name of the dump without its extension: the release's last migration. */
  readonly name: string;
  /** Of the release; absent before v0.1.0. */
  readonly version?: string;
  readonly commit: string;
  readonly organization: string;
  readonly tokens: { readonly live: string; readonly test: string; readonly revoked: string };
  /** Every proof of the dump as `POST /proofs` answered it. */
  readonly proofs: readonly (RecordedProof & { readonly environment: "live" | "test" })[];
  /** A request with an Idempotency-Key and its answer. */
  readonly keyed: {
    readonly key: string;
    readonly request: object;
    readonly status: number;
    readonly answer: RecordedProof;
  };
  readonly creditsLeft: number;
  /** One that is registered; absent before there were any. */
  readonly webhook?: { readonly id: string; readonly url: string };
  /**
   * What its gateway asked of Postgres while it answered requests after the dump, in order, transaction by transaction. Absent of
   * releases whose gateways do not run beside this version: their dumps are data alone.
   */
  readonly statements?: readonly Statement[];
}

export interface RecordedProof {
  readonly id: string;
  readonly sha256: string;
  readonly verification_code: string;
}

/** One statement; bytes stand as {"hex": "…"}. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of gateway.call and gateway.call_many: the status of each answer. */
  readonly statuses: readonly number[];
}

/** All dumps, the oldest first. */
export function releases(): Release[] {
  return fs
    .readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => JSON.parse(fs.readFileSync(path.join(import.meta.dirname, file), "utf8")) as Release);
}

/** Those whose gateways run on beside this version, the oldest first. */
export const releasesToRunBeside = () => releases().filter(({ statements }) => statements !== undefined);

export const dumpOf = ({ name }: Release) => path.join(import.meta.dirname, `${name}.backup`);

const root = path.resolve(import.meta.dirname, "../../..");

/**
 * Puts the sources of a commit into a folder, with the packages of this checkout.
 * @returns why that is not possible, or null when it was done
 */
export function checkOut(commit: string, folder: string): string | null {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, stdio: "ignore" });
  } catch {
    return `the history of commit ${commit.slice(0, 7)} is not here (a shallow clone, or no repository)`;
  }
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return null;
}
