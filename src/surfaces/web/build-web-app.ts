/** `npm run build` and build-apart.ts: builds dist/web (of the folder given) unless it was built from these very sources. */
import { ensureWebApp } from "./build.ts";

await ensureWebApp(process.argv[2]);
