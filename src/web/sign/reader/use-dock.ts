import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps a panel that is docked at the bottom of the screen above the keyboard of a phone, and tells the document how high it is: what takes the focus,
 * or is scrolled to, stays above the panel. A panel that is not docked (its position is not `fixed`) is left alone.
 */
export function useDock(): RefObject<HTMLElement | null> {
  const dock = useRef<HTMLElement>(null);
  useEffect(() => {
    const panel = dock.current;
    if (panel === null) return;
    const root = document.documentElement;
    const viewport = window.visualViewport;
    const settle = () => {
      const isDocked = getComputedStyle(panel).position === "fixed";
      root.style.scrollPaddingBottom = isDocked ? `${panel.offsetHeight}px` : "";
      // Browsers lay the keyboard over the page. Two fingers that zoom make the visible part smaller, too: then the panel stays.
      const covered =
        viewport === null || viewport.scale > 1.01 ? 0 : innerHeight - viewport.height - viewport.offsetTop;
      panel.style.translate = isDocked && covered > 1 ? `0 ${-covered}px` : "";
      // The end of the last page is reached above the panel.
      document.body.style.paddingBottom = isDocked ? `${panel.offsetHeight}px` : "";
    };
    const observer = new ResizeObserver(settle);
    observer.observe(panel);
    viewport?.addEventListener("resize", settle);
    viewport?.addEventListener("scroll", settle);
    addEventListener("resize", settle);
    settle();
    return () => {
      observer.disconnect();
      viewport?.removeEventListener("resize", settle);
      viewport?.removeEventListener("scroll", settle);
      removeEventListener("resize", settle);
      root.style.scrollPaddingBottom = "";
      document.body.style.paddingBottom = "";
    };
  }, []);
  return dock;
}
