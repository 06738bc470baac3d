/** Shows a result: JSON on one line with `--json`, otherwise as people read it. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(value) : text());
}
