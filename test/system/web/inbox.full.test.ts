// The inbox of inbox.test.ts, judged in every look.
import "./inbox.test.ts";
