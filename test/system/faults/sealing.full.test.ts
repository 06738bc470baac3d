// Nothing is aged: the next worker takes the envelopes of one that was killed together with Postgres after fifteen seconds.
import "./sealing.test.ts";
