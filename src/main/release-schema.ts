/**
 * `npm run release-schema`: keeps schema/ as what this version promises, in schema/released.json.gz. With `--check` it compares instead, and fails on a removal or a narrowing
 * that CHANGELOG.md does not name.
 */
import { packageRoot } from "../adapters/programs/package-root.ts";
import { releaseFaults, releaseSchema } from "./release/released-schema.ts";

const faults = process.argv.includes("--check") ? releaseFaults(packageRoot()) : releaseSchema(packageRoot());
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
