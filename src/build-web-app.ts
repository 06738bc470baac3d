/** `npm run build:web`: builds dist/web unless it was built from these very sources. */
import { ensureWebApp } from "./web-app/build.ts";

await ensureWebApp();
