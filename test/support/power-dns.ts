import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { unpackPackages } from "./debian-packages.ts";

/** Debian's PowerDNS, unpacked into a folder and not installed: nothing is started. */
export interface PowerDns {
  /** Runs pdnsutil on schema pdns of a database; its output, also where it fails. */
  pdnsutil(databaseUrl: string, ...words: string[]): { readonly output: string; readonly status: number };
  remove(): void;
}

/** Fetches PowerDNS. */
export function unpackPowerDns(): PowerDns {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-pdns-"));
  unpackPackages(folder, "pdns-server", "pdns-backend-pgsql");
  const find = (file: string) =>
    execFileSync("find", [folder, "/usr/lib", "/usr/bin", "-name", file, "-print", "-quit"], {
      encoding: "utf8",
    }).trim();
  const backend = find("libgpgsqlbackend.so");
  const libraries = path.dirname(path.dirname(backend));

  return {
    pdnsutil(databaseUrl, ...words) {
      const url = new URL(databaseUrl);
      const settings = {
        launch: "gpgsql",
        "module-dir": path.dirname(backend),
        "gpgsql-host": decodeURIComponent(url.hostname),
        "gpgsql-port": url.port,
        "gpgsql-dbname": url.pathname.slice(1),
        "gpgsql-user": decodeURIComponent(url.username),
        "gpgsql-password": decodeURIComponent(url.password),
        "gpgsql-extra-connection-parameters": "options='-c search_path=pdns'",
        "gpgsql-dnssec": "yes",
      };
      const config = fs.mkdtempSync(path.join(folder, "config-"));
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      fs.writeFileSync(path.join(config, "pdns.conf"), lines.join(""), { mode: 0o600 });
      try {
        const output = execFileSync(find("pdnsutil"), [`--config-dir=${config}`, ...words], {
          encoding: "utf8",
          env: { LD_LIBRARY_PATH: libraries },
          stdio: ["ignore", "pipe", "pipe"],
          maxBuffer: 100_000_000,
        });
        return { output, status: 0 };
      } catch (error) {
        const { stdout, stderr, status } = error as { stdout: string; stderr: string; status: number };
        return { output: `${stdout}${stderr}`, status };
      }
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
