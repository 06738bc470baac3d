// Nothing is aged: how long envelopes wait after a kill.
import "./envelopes.test.ts";
