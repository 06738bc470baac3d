// .npmrc silences npm's warnings, the one about scripts of packages included: what it would warn about is looked at here.
import fs from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => JSON.parse(fs.readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const { dependencies } = read("test/bench/package.json") as { dependencies: Readonly<Record<string, string>> };

test.each(["", "test/bench/"])(
  "%spackage.json says of every package with an install script whether it may run",
  (folder) => {
    const { packages } = read(`${folder}package-lock.json`) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    const { allowScripts = {} } = read(`${folder}package.json`) as { allowScripts?: Readonly<Record<string, boolean>> };
    const withScripts = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([place]) => place.replace(/^.*node_modules\//, ""));
    if (folder === "") expect(withScripts.length).toBeGreaterThan(0);
    expect(Object.keys(allowScripts)).toEqual(expect.arrayContaining(withScripts));
  },
);

test("npm ci installs nothing that only benchmarks use", () => {
  expect(Object.keys(dependencies)).toEqual(["autocannon"]);
  const { packages } = read("package-lock.json") as { packages: Readonly<Record<string, object>> };
  for (const name of Object.keys(dependencies)) expect(packages).not.toHaveProperty([`node_modules/${name}`]);
});
