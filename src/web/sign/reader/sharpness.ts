import { useEffect, useState } from "react";

/** Zooming with two fingers ends with this silence; drawing anew in between would be in vain. */
const SETTLED_MS = 200;

/** How many pixels of the screen a pixel of the page has: those of the device, more where two fingers zoomed in. */
export function useSharpness(): number {
  const [sharpness, setSharpness] = useState(read);
  useEffect(() => {
    let timer = 0;
    const settle = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => setSharpness(read()), SETTLED_MS);
    };
    const viewport = window.visualViewport;
    viewport?.addEventListener("resize", settle);
    // The zoom of a desktop, and a window that moves to another screen.
    addEventListener("resize", settle);
    return () => {
      clearTimeout(timer);
      viewport?.removeEventListener("resize", settle);
      removeEventListener("resize", settle);
    };
  }, []);
  return sharpness;
}

/** In halves: a little more zoom needs no new picture. */
function read(): number {
  const scale = Math.max(1, window.visualViewport?.scale ?? 1);
  return Math.ceil(devicePixelRatio * scale * 2) / 2;
}
