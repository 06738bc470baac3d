/** `npm run build` and web-app/build-apart.ts: builds dist/web (of the folder given) unless it was built from these very sources. */
import { ensureWebApp } from "./web-app/build.ts";

await ensureWebApp(process.argv[2]);
