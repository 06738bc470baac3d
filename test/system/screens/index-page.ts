import fs from "node:fs";
import path from "node:path";
import { escapeHtml } from "../../../src/surfaces/http/escape-html.ts";
import type { Look, Looks } from "./looks.ts";
import { mockupOf, mockupShot } from "./mockups.ts";
import { SCREENS, shotName } from "./shots.ts";
import { LANGUAGES, type Pictured, type States } from "./state.ts";

/** Writes the page of one group of states: every picture, each beside its mockup where there is one. Of further pictures, those taken since then. */
export function writeGroupPage(group: string, states: States<Pictured>, looks: Looks, since: Date): void {
  writeSections(
    group,
    Object.entries(states).map(([name, state]) => sectionOf(name, state, looks[name] ?? [], since)),
  );
}

/** Pictures of ours that the page of a group shows and that are not there, or are older than this. */
export function missingPictures(group: string, since: Date): string[] {
  const page = fs.readFileSync(path.join(SCREENS, `${group}.html`), "utf8");
  return [...page.matchAll(/<img [^>]*src="([^"]+)"/g)]
    .map(([, file = ""]) => file)
    .filter((file) => !file.startsWith("mockups/"))
    .filter((file) => !isTakenSince(file, since));
}

function isTakenSince(file: string, since: Date): boolean {
  const found = fs.statSync(path.join(SCREENS, file), { throwIfNoEntry: false });
  // Of a page that is higher than JPEG allows (65,535 pixels) Chromium writes an empty file.
  return found !== undefined && found.size > 0 && found.mtime >= since;
}

/** Pictures of one thing, each with what it shows. */
export function section(name: string, pictures: readonly (readonly [file: string, caption: string])[]): string {
  const figures = pictures.map(([file, caption]) => figure(file, caption));
  return `<h2 id="${name}">${escapeHtml(name)}</h2><section>${figures.join("\n")}</section>`;
}

/** Writes the page of a group, and the page that lists all groups. */
export function writeSections(group: string, sections: readonly string[]): void {
  write(`${group}.html`, group, `<p><a href="index.html">All pictures</a></p>${sections.join("\n")}`);
  const groups = fs.readdirSync(SCREENS).filter((file) => file.endsWith(".html") && file !== "index.html");
  const links = groups.map((file) => `<li><a href="${file}">${file.replace(".html", "")}</a></li>`);
  write("index.html", "Pictures of every page and state", `<ul>${links.join("")}</ul>`);
}

function sectionOf(name: string, state: Pictured, looks: readonly Look[], since: Date): string {
  const pictures = looks.map((look) => {
    const mockup = mockupOf(state, look);
    const drawn = mockup === null ? null : mockupShot(mockup, look);
    const picture = figure(shotName(name, look), `${look.width} px, ${look.theme}, ${look.language}`);
    return `<div>${picture}${drawn === null ? "" : figure(drawn, "mockup")}</div>`;
  });
  const others = LANGUAGES.filter((language) => looks.some((look) => look.language === language)).flatMap((language) =>
    ["forced-colours", "print", "no-script"]
      .map((kind) => ({ kind, file: `${name}-${kind}-${language}.jpg` }))
      .filter(({ file }) => isTakenSince(file, since))
      .map(({ kind, file }) => `<div>${figure(file, `${kind}, ${language}`)}</div>`),
  );
  return `<h2 id="${name}">${escapeHtml(name)}</h2><section>${[...pictures, ...others].join("\n")}</section>`;
}

function figure(file: string, caption: string): string {
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption><a href="${file}"><img loading="lazy" src="${file}" alt=""></a></figure>`;
}

function write(file: string, title: string, body: string): void {
  fs.writeFileSync(
    path.join(SCREENS, file),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px system-ui;margin:2rem}section,div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}section{gap:2rem}figure{margin:0}img{border:1px solid;max-width:30rem}</style>
<h1>${title}</h1>${body}\n`,
  );
}
