// The pages of verify-envelope.test.ts, each state judged in both languages.
import "./verify-envelope.test.ts";
