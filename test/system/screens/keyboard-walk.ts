// By keyboard alone: every control of a page is reached in turn, its focus is seen, and nothing holds the focus.
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A stop of the Tab key. */
interface Stop {
  /** Behind the last control. */
  readonly isOutside: boolean;
  /** The place of the control in the document; null for a part that scrolls. */
  readonly number: number | null;
  readonly name: string;
  /** A ring of two pixels or more, around the control or around what stands for it. */
  readonly isRinged: boolean;
  readonly isInView: boolean;
  readonly isCovered: boolean;
}

/** For the browser to bring the focus into view. */
const MOST_SETTLING_MS = 10_000;

/** Waits until all is loaded and nothing in the document has changed for a moment: what React draws anew loses its number. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(`new Promise((resolve) => {
    const still = () => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(still, 300);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(still, 300);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  })`);
}

/** Numbers every control that can be used, in the order of the document. */
function numberControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((each) => !each.matches(":disabled, [tabindex='-1']") && each.checkVisibility({ visibilityProperty: true }));
    controls.forEach((each, index) => { each.dataset.stop = String(index); });
    return controls.map((each) => each.outerHTML.slice(0, 90));
  })()`);
}

function currentStop(page: Page): Promise<Stop> {
  return page.evaluate<Stop>(`(() => {
    const focused = document.activeElement;
    // A hidden input of files is shown by its label, or by the zone around it.
    const standIns = [focused, ...(focused.labels ?? []), focused.closest(".drop")].filter((each) => each !== null);
    const isRinged = standIns.some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    });
    const isInView = standIns.some((each) => {
      const { top, bottom, left, right } = each.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    });
    const { top, left, width, height } = standIns[standIns.length > 1 ? 1 : 0].getBoundingClientRect();
    const above = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + Math.min(height, innerHeight) / 2);
    const isCovered = above !== null && !standIns.some((each) => each.contains(above) || above.contains(each));
    const number = focused.dataset.stop === undefined ? null : Number(focused.dataset.stop);
    const isOutside = focused === document.body;
    return { isOutside, number, name: focused.outerHTML.slice(0, 90), isRinged, isInView, isCovered };
  })()`);
}

/** Where the focus is after the browser has brought it into view, which it does later when the machine does much else. */
async function settledStop(page: Page): Promise<Stop> {
  const began = performance.now();
  for (;;) {
    const stop = await currentStop(page);
    if (stop.isOutside || stop.isInView || performance.now() - began > MOST_SETTLING_MS) return stop;
    await page.waitForTimeout(50);
  }
}

/** Presses the Tab key from the top of the page to its end. */
export async function walk(page: Page): Promise<void> {
  // From the top, wherever the page has put the focus.
  await page.evaluate(`(() => {
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
  })()`);
  await untilStill(page);
  const controls = await numberControls(page);
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await settledStop(page);
    if (stop.isOutside) break;
    stops.push(stop);
    expect(stops.length, "the page holds the focus").toBeLessThan(2 * controls.length);
  }
  const reached = new Set(stops.flatMap(({ number }) => number ?? []));
  expect({
    unreached: controls.filter((_control, index) => !reached.has(index)),
    unringed: stops.filter(({ isRinged }) => !isRinged).map((stop) => stop.name),
    outOfView: stops.filter(({ isInView }) => !isInView).map((stop) => stop.name),
    covered: stops.filter(({ isCovered }) => isCovered).map((stop) => stop.name),
    twice: stops.filter(({ number }) => number !== null).length - reached.size,
  }).toEqual({ unreached: [], unringed: [], outOfView: [], covered: [], twice: 0 });
}
