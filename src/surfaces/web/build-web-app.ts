/** `npm run build` and build-apart.ts: builds dist/web (of the given folder) unless its sources are unchanged. */
import { ensureWebApp } from "./build.ts";

await ensureWebApp(process.argv[2]);
