/** The data in the examples of several services. */
export const DIGEST = "f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2";
export const UNKNOWN_DIGEST = "0".repeat(64);
export const UNKNOWN_ID = "0197a0c0-0000-7000-8000-000000000000";
export const CONTRACT_13 = { name: "contract-13.txt", text: "Contract 13 between Acme Ltda. and Beta S.A.\n" };
