import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { addressesOf, nameserverProgram, writeProgramFile } from "../../support/nameserver-stage.ts";
import { freePort, processesIn, type SeloProcess, selo } from "../../support/selo-process.ts";
import type { DnsDeployment } from "./dns-deployment.ts";

/** The key of the control servers. */
export const CONTROL_KEY = "k".repeat(32);

/** `selo nameserver` as a separate process, which reads the Postgres of a deployment. It starts after the deployment, which must know where its control is. */
export class NameserverApart {
  readonly port: number;
  readonly controlPort: number;
  /** The one that runs, or ran last. */
  process: SeloProcess | null = null;
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-nameserver-apart-"));

  private constructor(port: number, controlPort: number) {
    this.port = port;
    this.controlPort = controlPort;
    // As root: the nameserver's user passes through.
    fs.chmodSync(this.#folder, 0o711);
  }

  /** Chooses its ports; starts nothing. */
  static async prepare(): Promise<NameserverApart> {
    return new NameserverApart(await freePort(), await freePort());
  }

  /** Starts it. Resolves when it answers. */
  async start(deployment: DnsDeployment, environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.process = selo(["nameserver", "--json"], {
      SELO_DATA_DIR: path.join(this.#folder, "data"),
      PDNS_SERVER: writeProgramFile(await nameserverProgram(), this.#folder),
      DATABASE_DNS_URL: deployment.urls.loginUrl("selo_dns"),
      NAMESERVER_PORT: String(this.port),
      NAMESERVER_CONTROL_PORT: String(this.controlPort),
      NAMESERVER_CONTROL_KEY: CONTROL_KEY,
      ...environment,
    });
    await this.process.until("\n");
  }

  /** kill -9 of it and of its PowerDNS. */
  async kill(): Promise<void> {
    const pid = this.powerDnsPid();
    this.process?.child.kill("SIGKILL");
    await this.process?.finished;
    process.kill(pid, "SIGKILL");
  }

  /** The process of the PowerDNS that runs, or ran last. */
  powerDnsPid(): number {
    return Number(fs.readFileSync(path.join(this.#folder, "data/nameserver-run/pdns.pid"), "utf8").split("\n")[0]);
  }

  /** The addresses of a name, or the status if it has none. */
  ask(name: string): Promise<readonly string[] | string> {
    return addressesOf(this.port, name);
  }

  /** Removes its folder, after the deployment has ended what runs. Fails if a process is left. */
  remove(): void {
    const left = processesIn(this.#folder);
    fs.rmSync(this.#folder, { recursive: true, force: true });
    expect(left).toEqual([]);
  }
}
