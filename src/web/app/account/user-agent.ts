/** The most particular first: each of these names the ones behind it as well. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const DEVICES: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** A browser and its device, as people call them: "Chrome, Windows". A browser says this of itself. Null for an unknown one. */
export function browserOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const [browser, device] = [find(BROWSERS), find(DEVICES)];
  if (browser === undefined) return null;
  return device === undefined ? browser : `${browser}, ${device}`;
}

export const isPhone = (userAgent: string | null): boolean => /\b(?:iPhone|Android)\b/.test(userAgent ?? "");
