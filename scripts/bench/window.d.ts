/** The benchmark of the console defines these properties before the page's own scripts run. */
interface Window {
  slowestEvent: number;
  nextPaint: () => Promise<number>;
  lastResponseEnd: () => number | undefined;
  largestResponseEnd: () => number | undefined;
}
