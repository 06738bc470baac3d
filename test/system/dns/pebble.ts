// A certificate authority of the protocol ACME (RFC 8555), for tests: it asks the nameserver that it is given.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "../../support/selo-process.ts";

export interface Pebble {
  /** Where clients begin. */
  readonly directory: string;
  /** The certificate that its address has, which clients must trust. */
  readonly certificateFile: string;
  /** The certificate of the authority that signs, in PEM. */
  root(): Promise<string>;
  stop(): Promise<void>;
}

/** @param folder where it keeps its certificate @param nameserver whom it asks for names */
export async function startPebble(
  folder: string,
  nameserver: { readonly host: string; readonly port: number },
): Promise<Pebble> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const certificateFile = path.join(folder, "pebble.pem");
  const privateKey = path.join(folder, "pebble.key");
  execFileSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=pebble -addext subjectAltName=IP:127.0.0.1 -keyout ${privateKey} -out ${certificateFile}`.split(
      " ",
    ),
    { stdio: "ignore" },
  );
  const config = path.join(folder, "pebble.json");
  fs.writeFileSync(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: certificateFile,
        privateKey,
        httpPort: await freePort(),
        tlsPort: await freePort(),
      },
    }),
  );
  const child = spawn("pebble", ["-config", config, "-dnsserver", `${nameserver.host}:${nameserver.port}`], {
    // It would sleep for some seconds before each validation, and refuse some requests by chance.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ca = fs.readFileSync(certificateFile);
  const get = (url: string) =>
    new Promise<string>((resolve, reject) => {
      https
        .get(url, { ca }, (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => resolve(text));
        })
        .on("error", reject);
    });
  const directory = `https://127.0.0.1:${port}/dir`;
  await vi
    .waitFor(() => get(directory), { timeout: 30_000, interval: 20 })
    .catch((error: unknown) => {
      child.kill("SIGTERM");
      throw error;
    });
  return {
    directory,
    certificateFile,
    root: () => get(`https://127.0.0.1:${managementPort}/roots/0`),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
