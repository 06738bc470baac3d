/** A style sheet that a script brings along: Vite makes a file of it. */
declare module "*.css";
