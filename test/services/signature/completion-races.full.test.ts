// The acts of completion-races.test.ts, which meet more often.
import "./completion-races.test.ts";
