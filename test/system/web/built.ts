// What tests say of a folder of built pages.
import fs from "node:fs";
import path from "node:path";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";

/** A build of other sources, long ago. */
export function leaveStaleBuild({ root }: { readonly root: string }): void {
  fs.mkdirSync(path.join(webAppFolder(root), "assets"), { recursive: true });
  fs.writeFileSync(path.join(webAppFolder(root), "assets/old.js"), "");
  fs.writeFileSync(path.join(webAppFolder(root), "stamp"), "0".repeat(64));
}

/** Without the hashes, which depend on where packages lie. */
export function namesIn(folder: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.map((file) => file.replace(/-[\w-]{8}\./, ".")).sort();
}
