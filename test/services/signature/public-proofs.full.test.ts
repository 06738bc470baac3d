// The public proofs of public-proofs.test.ts, whose codes are tried with each character of the basic plane.
import "./public-proofs.test.ts";
