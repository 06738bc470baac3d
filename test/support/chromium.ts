import type { LaunchOptions } from "playwright-core";

/** Chromium's own headless build, which does half of the work of the whole browser, without anything that calls home. */
export const CHROMIUM: LaunchOptions = {
  executablePath: "/usr/bin/chromium-headless-shell",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages of one profile share a renderer, which keeps what it compiled as long as one of them is open.
    "--process-per-site",
  ],
};
