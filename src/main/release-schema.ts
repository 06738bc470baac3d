/**
 * `npm run release-schema`: keeps schema/ as what this version promises, in schema/released/. With `--check` it compares instead, and fails on a removal or a narrowing
 * that CHANGELOG.md does not name.
 */
import { packageRoot } from "../package-root.ts";
import { releaseFaults, releaseSchema } from "./release/released-schema.ts";

if (process.argv.includes("--check")) {
  const faults = releaseFaults(packageRoot());
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} else {
  releaseSchema(packageRoot());
}
