// By keyboard alone, each page at one width, in turn. At both: keyboard.full.test.ts.
import { WALKED, walkPages } from "./keyboard-walk.ts";
import { WIDTHS, type Width } from "./looks.ts";

walkPages(Object.keys(WALKED).map((name, index) => [name, WIDTHS[index % WIDTHS.length] as Width]));
