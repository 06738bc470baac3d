// `npm run test:repeat -- 30 test/a.test.ts test/b.test.ts [--load] [--bail]`: runs test files again and again, to find what fails by
// chance. Each run says its number, its seconds and its failures, and a failed one is kept whole in test-output/repeat. The last lines say
// of each file in how many runs it failed. With `--load` two busy loops run beside the last third; with `--bail` the first failed run is the last.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const BUSY_LOOPS = 2;
const KEPT = path.resolve(import.meta.dirname, "../../test-output/repeat");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { load: { type: "boolean" }, bail: { type: "boolean" } },
});
const [count = "", ...files] = positionals;
const runs = Number(count);
if (!(runs >= 1) || files.length === 0) throw new Error("npm run test:repeat -- <runs> <files> [--load] [--bail]");

/** In how many runs each file failed. */
const failedRuns = new Map(files.map((file) => [file, 0]));
let loops: ChildProcess[] = [];
let running: ChildProcess | null = null;
process.on("exit", () => {
  running?.kill("SIGINT");
  endLoops();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

let done = 0;
while (done < runs) {
  done += 1;
  const isLoaded = values.load === true && done > Math.ceil((runs * 2) / 3);
  if (isLoaded && loops.length === 0) startLoops();
  if (!(await runOnce(isLoaded)) && values.bail === true) break;
}
endLoops();
for (const [file, failed] of failedRuns) console.log(`${file}: ${failed} of ${done} failed`);
process.exitCode = [...failedRuns.values()].some((failed) => failed > 0) ? 1 : 0;

/** @returns whether it passed */
async function runOnce(isLoaded: boolean): Promise<boolean> {
  const began = performance.now();
  const output: string[] = [];
  const command = spawn(process.execPath, [path.join(import.meta.dirname, "run-tests.ts"), ...files], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = command;
  for (const stream of [command.stdout, command.stderr])
    stream.setEncoding("utf8").on("data", (text) => output.push(text));
  const status = await new Promise<number | null>((resolve) => command.once("close", resolve));
  const lines = output.join("").split("\n");
  const failures = lines.filter((line) => line.startsWith("failed: "));
  for (const [file, failed] of failedRuns)
    if (failures.some((line) => line.startsWith(`failed: ${file}`))) failedRuns.set(file, failed + 1);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const load = `load ${os.loadavg()[0]?.toFixed(1)}${isLoaded ? `, ${BUSY_LOOPS} busy loops` : ""}`;
  console.log(`run ${done} of ${runs}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s (${load})`);
  if (status !== 0) {
    fs.mkdirSync(KEPT, { recursive: true });
    const log = path.join(KEPT, `${process.pid}-${done}.log`);
    fs.writeFileSync(log, lines.join("\n"));
    console.log([...failures, `whole: ${log}`].join("\n"));
  }
  return status === 0;
}

function startLoops(): void {
  loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" }),
  );
}

function endLoops(): void {
  for (const loop of loops.splice(0)) loop.kill("SIGKILL");
}
