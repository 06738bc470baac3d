import { useCallback, useEffect, useRef, useState } from "react";

/** Which pages are near what is seen, and which one lies in the middle. */
export interface PagesInView {
  readonly near: ReadonlySet<string>;
  readonly middle: string | null;
  /** Watches the element of a page; its `data-page` is the name. Pages come in their order. One function for the life of the reader. */
  readonly watch: (page: HTMLElement) => () => void;
}

/** Pages are drawn from one screen above to one screen below what is seen. */
const NEAR = "100% 0px";

export function usePagesInView(): PagesInView {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set());
  const [middle, setMiddle] = useState<string | null>(null);
  const observer = useRef<IntersectionObserver | null>(null);
  const pages = useRef<Set<HTMLElement>>(new Set());

  useEffect(() => {
    const made = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) after.add(nameOf(target));
            else after.delete(nameOf(target));
          }
          return after;
        }),
      { rootMargin: NEAR },
    );
    observer.current = made;
    for (const page of pages.current) made.observe(page);
    return () => {
      observer.current = null;
      made.disconnect();
    };
  }, []);

  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const found = lastAbove([...pages.current], innerHeight / 2);
      setMiddle(found === null ? null : nameOf(found));
    };
    const lookSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    addEventListener("scroll", lookSoon, { passive: true, capture: true });
    addEventListener("resize", lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", lookSoon, { capture: true });
      removeEventListener("resize", lookSoon);
    };
  }, []);

  const watch = useCallback((page: HTMLElement) => {
    // Pages are there before the observer.
    pages.current.add(page);
    observer.current?.observe(page);
    return () => {
      pages.current.delete(page);
      observer.current?.unobserve(page);
    };
  }, []);
  return { near, middle, watch };
}

const nameOf = (page: Element): string => (page as HTMLElement).dataset["page"] ?? "";

/** The last of pages, which lie one below the other, that begins above a height of the screen. By halves, because there may be thousands. */
function lastAbove(pages: readonly HTMLElement[], height: number): HTMLElement | null {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if ((pages[half]?.getBoundingClientRect().top ?? 0) <= height) low = half + 1;
    else high = half;
  }
  return pages[low - 1] ?? null;
}
