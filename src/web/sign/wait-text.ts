/** A wait as both languages write it: "45 s", "12 min", "21 h". */
export function waitText(seconds: number): string {
  if (seconds >= 5_400) return `${Math.ceil(seconds / 3_600)} h`;
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
