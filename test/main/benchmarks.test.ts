// The benchmarks and test/bench/RESULTS.md: each figure names a command that there is, and each benchmark has figures.
import fs from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => fs.readFileSync(new URL(`../bench/${file}`, import.meta.url), "utf8");

test("RESULTS.md names each benchmark of npm run bench, and no other", () => {
  const [, list = ""] = /const benchmarks[^{]*\{([^}]+)\}/.exec(read("main.ts")) ?? [];
  const benchmarks = list.split(",").flatMap((name) => name.trim() || []);
  const commands = [...read("RESULTS.md").matchAll(/npm run bench ([\w ]+)`/g)];
  const named = commands.flatMap(([, names = ""]) => names.split(" "));
  expect([...new Set(named)].sort()).toEqual(benchmarks.sort());
});

test("RESULTS.md names no variable that no benchmark reads", () => {
  const sources = fs.readdirSync(new URL("../bench/", import.meta.url)).filter((file) => file.endsWith(".ts"));
  const known = new Set(sources.flatMap((file) => read(file).match(/BENCH_[A-Z_]+/g) ?? []));
  const named = new Set(read("RESULTS.md").match(/BENCH_[A-Z_]+/g));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});
