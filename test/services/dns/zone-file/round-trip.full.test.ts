// The round trip of round-trip.test.ts, with more random zones.
import "./round-trip.test.ts";
