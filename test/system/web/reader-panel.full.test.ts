// The panel of reader-panel.test.ts, each of its states judged in every look.
import "./reader-panel.test.ts";
