// The signatures of hybrid-signature.test.ts, with more random keys, messages and bits.
import "./hybrid-signature.test.ts";
