/** Written by the benchmark of the console before the page's own scripts run. */
interface Window {
  slowestEvent: number;
  painted: () => Promise<number>;
  lastAnswer: () => number | undefined;
  largestAnswer: () => number | undefined;
}
