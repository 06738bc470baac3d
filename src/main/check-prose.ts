/** `npm run check:prose`: finds the commonest of the forms that CONTRIBUTING.md says to avoid, in what others read. */
import { packageRoot } from "../adapters/programs/package-root.ts";
import { proseFaults } from "./prose/prose-faults.ts";

const faults = proseFaults(packageRoot());
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
