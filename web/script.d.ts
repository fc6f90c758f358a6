/** The text of a bundled module (`inline-script.ts`). */
declare module '*?script' {
  const source: string;
  export default source;
}
