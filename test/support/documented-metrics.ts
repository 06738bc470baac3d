import fs from "node:fs";

/** The metrics that the guide to monitoring lists, with their labels. */
export function documentedMetrics(): { readonly name: string; readonly labels: readonly string[] }[] {
  const text = fs.readFileSync(new URL("../../src/web/guides/monitoring.md", import.meta.url), "utf8");
  const [, table = ""] = /\| metric \| labels \| meaning \|\n\|[ -|]+\|\n((?:\|.*\|\n)+)/.exec(text) ?? [];
  return table
    .trimEnd()
    .split("\n")
    .map((row) => {
      const [, name = "", labels = ""] = row.split(/ *\| */);
      return {
        name: name.replaceAll("`", ""),
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
      };
    });
}
