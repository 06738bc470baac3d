import { createHash } from "node:crypto";
import { type RuruServerConfig, ruruHTML } from "ruru/server";
import { dark, lengths, light, type } from "../../adapters/generated/design-tokens.ts";

/** Half of the mark, as src/web/design/mark.svg draws it. */
const HALF =
  "M55.04 12A14 14 0 0 0 53.14 10.86A14 14 0 0 0 39.74 3.12A14 14 0 0 0 24.26 3.12A14 14 0 0 0 10.86 10.86A14 14 0 0 0 3.12 24.26A14 14 0 0 0 3.12 39.74A14 14 0 0 0 3.51 44H40A4 4 0 0 0 40 36H24A12 12 0 0 1 24 12Z";
const markOf = (attributes: string) =>
  `<svg ${attributes} viewBox="0 0 64 64"><path d="${HALF}"/><path d="${HALF}" transform="rotate(180 32 32)"/></svg>`;
const MARK = markOf(`xmlns="http://www.w3.org/2000/svg" fill="${light.brand}"`);

/** The editor's name, its links elsewhere and its request for donations are not shown; the bar above it leads back to Selo. */
const STYLE = `<style>
.graphiql-container { --color-primary: ${hslOf(light.brand)} !important; }
.graphiql-dark .graphiql-container { --color-primary: ${hslOf(dark.brand)} !important; }
body { display: flex; flex-direction: column; height: 100dvh; }
#ruru-root { flex: 1; height: auto; min-height: 0; }
.back { display: flex; flex-wrap: wrap; align-items: center; gap: 0 ${lengths["s-24"]}px; padding: 0 ${lengths["s-16"]}px; font: ${type["type-14"][0]}px system-ui, sans-serif; color: ${light["ink-2"]}; background: ${light.surface}; border-bottom: 1px solid ${light.line}; }
.graphiql-dark .back { color: ${dark["ink-2"]}; background: ${dark.surface}; border-color: ${dark.line}; }
.back h1 { margin: 0; font: inherit; }
.back nav { display: flex; gap: ${lengths["s-8"]}px; margin-left: auto; }
.back a { display: flex; align-items: center; min-height: ${lengths["s-48"]}px; padding: 0 ${lengths["s-8"]}px; color: inherit; text-decoration: none; }
.back a:hover { text-decoration: underline; }
.back h1 a { gap: ${lengths["s-8"]}px; padding-left: 0; font-weight: 650; }
.back svg { width: ${lengths["s-24"]}px; height: ${lengths["s-24"]}px; }
.ruru-footer, .graphiql-logo { display: none !important; }
@media (max-width: 40rem) {
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { min-width: 0; }
  .graphiql-container #graphiql-session, .graphiql-container .graphiql-sessions > [role="tabpanel"] { flex-direction: column; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
}
</style>`;

const BAR = `<header class="back"><h1><a href="/">${markOf('fill="currentColor" aria-hidden="true"')} Selo GraphiQL</a></h1><nav aria-label="Selo"><a href="/guides/graphql">Guide</a><a href="/docs">API</a></nav></header>`;

const QUERY =
  "{\n  proofs(first: 10) {\n    nodes {\n      id\n      sha256\n      registeredAt\n      verifyUrl\n    }\n  }\n}\n";

/** A colour as the editor's style takes it: hue, saturation and lightness. */
function hslOf(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const lightness = most - range / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  let sixths = 0;
  if (range > 0 && most === red) sixths = ((green - blue) / range + 6) % 6;
  else if (range > 0 && most === green) sixths = (blue - red) / range + 2;
  else if (range > 0) sixths = (red - green) / range + 4;
  return `${Math.round(sixths * 60)}, ${Math.round(saturation * 100)}%, ${Math.round(lightness * 100)}%`;
}

/** A page of the editor with its own policy, which allows the inline scripts of exactly this page. */
export interface EditorPage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page of the editor.
 * @param staticPath the path of its files, with a slash at the end
 * @param token fills the header Authorization; null for words in its place
 */
export function editorPage(endpoint: string, staticPath: string, token: string | null): EditorPage {
  const headers = JSON.stringify({ Authorization: `Bearer ${token ?? "svc_test_YOUR_TOKEN"}` }, null, 2);
  const html = ruruHTML({
    staticPath,
    endpoint,
    htmlParts: {
      titleTag: "<title>Selo GraphiQL</title>",
      metaTags: (tags) =>
        `${tags}\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(MARK)}">`,
      styleTags: (tags) => `${tags}\n${STYLE}`,
      // The editor lacks landmarks, a heading, and a way back.
      bodyContent: (content) =>
        `${BAR}${content}`
          .replace('<div id="ruru-root">', '<div id="ruru-root" role="main">')
          .replaceAll("Ruru is loading", "GraphiQL is loading"),
    },
    // Its type declares every member as required; the page needs none of the others.
    clientConfig: {
      isHeadersEditorEnabled: true,
      initialHeaders: headers,
      defaultHeaders: headers,
      defaultQuery: QUERY,
      defaultEditorToolsVisibility: "headers",
    } as object as NonNullable<RuruServerConfig["clientConfig"]>,
  }).replace("<html>", '<html lang="en">');
  return { html, policy: policyOf(html) };
}

/** Allows scripts of this server, and the page's inline scripts by hash. The editor writes inline styles. */
function policyOf(page: string): string {
  const inlineScripts = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = ""]) => {
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  });
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts.join(" ")}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
