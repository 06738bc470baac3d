import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runConfined } from "../../../src/adapters/programs/confined-program.ts";
import { processUsage } from "../../../src/adapters/programs/process-usage.ts";
import { pieces } from "../pdf-check/pdf-file.ts";
import { children, silent } from "./children.ts";

/** On a busy machine much time passes in which a program works little. */
const LIMITS = { cpuSeconds: 20, wallSeconds: 120, residentBytes: 512 * 1024 * 1024 };
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "selo-confined-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program made of these statements; `say` writes a line. Each line may be answered with an act. */
async function run(
  statements: string,
  more: {
    limits?: Partial<typeof LIMITS>;
    signal?: AbortSignal;
    input?: AsyncIterable<Buffer>;
    onLine?: (line: string) => void;
  } = {},
) {
  const program = path.join(folder, `program-${Math.random()}.mjs`);
  writeFileSync(
    program,
    `import fs from "node:fs"; const say = (line) => fs.writeSync(1, line + "\\n");\n${statements}`,
  );
  const lines: string[] = [];
  const result = await runConfined({
    program,
    folders: [folder],
    argument: "",
    input: more.input ?? pieces(Buffer.alloc(0)),
    limits: { ...LIMITS, ...more.limits },
    signal: more.signal,
    onLine: (line) => {
      lines.push(line);
      more.onLine?.(line);
    },
  });
  return { ...result, lines };
}

const isLinux = process.platform === "linux";
const NEEDS_PROC = "looks into /proc, which Linux has";
const HANG = "setInterval(() => {}, 1000);";
describe("what the program may", () => {
  test("none of our environment, files, processes, threads", async () => {
    const attempt = (code: string) => `try { ${code}; say("done"); } catch (error) { say(error.code); }`;
    const { lines, end } = await run(`
      import { spawnSync } from "node:child_process";
      import { Worker } from "node:worker_threads";
      import { createRequire } from "node:module";
      say(Object.keys(process.env).join());
      say(process.cwd());
      ${attempt('fs.readFileSync("/etc/passwd")')}
      ${attempt('fs.readdirSync("/")')}
      ${attempt(`fs.writeFileSync(${JSON.stringify(path.join(folder, "written"))}, "a")`)}
      ${attempt('const { error } = spawnSync("true"); if (error) throw error')}
      ${attempt('new Worker("1", { eval: true })')}
      ${attempt('process.dlopen({ exports: {} }, "/a.node")')}
      ${attempt('process.kill(process.ppid, 0); new Function("return 1")')}
    `);
    expect(lines.slice(0, 8)).toEqual(["", "/", ...Array(5).fill("ERR_ACCESS_DENIED"), "ERR_DLOPEN_DISABLED"]);
    expect(lines[8]).not.toBe("done");
    expect(end).toEqual({ by: "itself", code: 0, signal: null });
  });

  test("no descriptor of ours: three pipes, and what Node opens for itself", async ({ skip }) => {
    skip(!isLinux, NEEDS_PROC);
    let targets: string[] = [];
    const { end } = await run(`say(String(process.pid)); ${HANG}`, {
      onLine: (pid) => {
        targets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
        process.kill(Number(pid), "SIGKILL");
      },
    });
    expect(end).toEqual({ by: "itself", code: null, signal: "SIGKILL" });
    const foreign = targets.filter((target) => !/^(anon_inode|pipe|socket):|^\/dev\/null$/.test(target));
    expect(foreign).toEqual([]);
    expect(targets.filter((target) => target.startsWith("socket:"))).toHaveLength(3);
  });
});

describe("a limit ends the program", () => {
  test("processor time", async () => {
    expect((await run("for (;;);", { limits: { cpuSeconds: 0.3 } })).end).toEqual({ by: "limit", limit: "cpu" });
  });

  test("a program that hangs", async () => {
    expect((await run(HANG, { limits: { wallSeconds: 0.5 } })).end).toEqual({ by: "limit", limit: "wall" });
  });

  test("input that does not come is the giver's fault", async () => {
    const { end } = await run(HANG, { limits: { wallSeconds: 0.5 }, input: silent });
    expect(end).toEqual({ by: "limit", limit: "input" });
  });

  test("memory outside V8's heap", async () => {
    const { end } = await run("const all = []; for (;;) { all.push(Buffer.alloc(1e6, 1)); await null; }");
    expect(end).toEqual({ by: "limit", limit: "memory" });
  });

  test("memory inside V8's heap", async () => {
    const { end } = await run("const all = []; for (;;) all.push(Array(10_000).fill(all.length));");
    expect(end).toMatchObject({ by: "itself", signal: expect.stringMatching(/SIGABRT|SIGTRAP/) });
  });

  test("output without end", async () => {
    expect((await run('for (;;) say("a".repeat(10000));')).end).toEqual({ by: "limit", limit: "output" });
  });
});

test("an error of the receiver and of the giver ends the program, and is thrown", async () => {
  const receiver = run(`say("a"); ${HANG}`, {
    onLine: () => {
      throw new Error("receiver");
    },
  });
  await expect(receiver).rejects.toThrow("receiver");
  async function* broken() {
    yield Buffer.from("a");
    throw new Error("giver");
  }
  await expect(run(HANG, { input: broken() })).rejects.toThrow("giver");
  expect(children()).toEqual([]);
});

test("the two ways to read a process's use agree", async () => {
  const [proc, ps] = [await processUsage(process.pid), await processUsage(process.pid, "darwin")];
  expect(ps?.residentBytes).toBeGreaterThan((proc?.residentBytes ?? 0) / 2);
  expect(ps?.residentBytes).toBeLessThan((proc?.residentBytes ?? 0) * 2);
  expect(Math.abs((ps?.cpuSeconds ?? -10) - (proc?.cpuSeconds ?? 0))).toBeLessThan(3);
  expect(await processUsage(2 ** 22 + 1)).toBeUndefined();
  expect(await processUsage(2 ** 22 + 1, "darwin")).toBeUndefined();
});
