// The honest files of bombs.test.ts with more objects.
import "./bombs.test.ts";
