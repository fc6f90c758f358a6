/** Written by the benchmark of the console before the page's own scripts run. */
interface Window {
  slowestEvent: number;
  nextPaint: () => Promise<number>;
  lastResponseEnd: () => number | undefined;
  largestResponseEnd: () => number | undefined;
}
