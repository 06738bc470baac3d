// The reference of docs.test.ts, each of its pages judged in every look.
import "./docs.test.ts";
