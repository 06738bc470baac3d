/** A step of `npm run build`, after the compiler. */
import path from "node:path";
import { bundlePrograms } from "../adapters/programs/bundle-programs.ts";
import { packageRoot } from "../adapters/programs/package-root.ts";

const root = packageRoot();
await bundlePrograms(root, path.join(root, "dist"));
