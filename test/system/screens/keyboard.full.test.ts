// By keyboard alone, each page at both widths. At one: keyboard.test.ts.
import { WALKED, walkPages } from "./keyboard-walk.ts";
import { WIDTHS } from "./looks.ts";

walkPages(Object.keys(WALKED).flatMap((name) => WIDTHS.map((width) => [name, width] as const)));
