// The documents of sign-hard.test.ts, with 100 pages.
import "./sign-hard.test.ts";
