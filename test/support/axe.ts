import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * Judges a page with axe, for violations alone: the other results take as long to write down. Legacy mode does without a second page, which
 * frames of other origins would need; we have none.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode(true);
