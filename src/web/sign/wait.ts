import { useEffect, useState } from "react";

/** Seconds that are left until a time (milliseconds since 1970), counted down; 0 without one. */
export function useWait(until: number | null): number {
  const [left, setLeft] = useState(() => leftUntil(until));
  useEffect(() => {
    setLeft(leftUntil(until));
    if (leftUntil(until) === 0) return;
    const timer = setInterval(() => {
      const rest = leftUntil(until);
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

const leftUntil = (until: number | null): number =>
  until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
