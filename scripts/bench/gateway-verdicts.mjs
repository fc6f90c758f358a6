/** Compares the measured CPU cost of the edge with its goals, some of which are relative to nginx and Caddy. */
import { median } from './measure.mjs';

const MAX_RATIO_TO_NGINX = 2;
const MAX_RATIO_TO_CADDY = 1 / 3.5;
const MAX_RATIO_TO_PLAIN_CASE = 1.35;
const MAX_LOG_US = 2.5;
const MAX_POLICIES_US = 2;
const MAX_PLAIN_US = 24;

/** These cases move more bytes or smaller packets. Their additional cost in nginx is subtracted from the edge's cost. */
const HEAVIER_CASES = new Set(['chunked', '64k', 'behind caddy']);

/** A file of a version may cost as much as a file of a folder. The additional 5 % are noise of the machine. */
const MAX_RATIO_TO_FOLDER = 1.05;

/** This case opens a connection for each request. It has no goal. */
const CONNECTIONS_CASE = 'connections';

/**
 * Compares runs with the goals.
 * @param runs `{ caseName, name, round, cpu }`, processor time per request in us
 * @returns one line for each goal that these runs cover
 */
export function compareWithGoals(runs) {
  const computeCost = (caseName, name) => {
    const figures = runs.filter((run) => run.caseName === caseName && run.name === name).map(({ cpu }) => cpu);
    return figures.length === 0 ? Number.NaN : median(figures);
  };
  const lines = [];
  const addVerdict = (subject, figure, limit) => {
    if (Number.isNaN(figure)) return;
    lines.push(
      `${figure <= limit ? 'met   ' : 'MISSED'}  ${subject}: ${figure.toFixed(2)}, at most ${limit.toFixed(2)}`,
    );
  };
  for (const log of ['', '+log']) {
    const [ours, nginx] = [`ours${log}`, `nginx${log}`];
    const plain = computeCost('plain', ours);
    addVerdict(`${ours}, plain, ratio to nginx`, plain / computeCost('plain', nginx), MAX_RATIO_TO_NGINX);
    addVerdict(`${ours}, plain, ratio to Caddy`, plain / computeCost('plain', `caddy${log}`), MAX_RATIO_TO_CADDY);
    addVerdict(`${ours}, plain, us`, plain, MAX_PLAIN_US);
    for (const caseName of new Set(runs.map((run) => run.caseName))) {
      if (caseName === 'version')
        addVerdict(
          `${ours}, version, ratio to static`,
          computeCost(caseName, ours) / computeCost('static', ours),
          MAX_RATIO_TO_FOLDER,
        );
      if (['plain', 'version', CONNECTIONS_CASE].includes(caseName)) continue;
      const extraOfNginx = HEAVIER_CASES.has(caseName)
        ? Math.max(0, computeCost(caseName, nginx) - computeCost('plain', nginx))
        : 0;
      addVerdict(
        `${ours}, ${caseName}, ratio to plain`,
        (computeCost(caseName, ours) - extraOfNginx) / plain,
        MAX_RATIO_TO_PLAIN_CASE,
      );
    }
  }
  /** Judges the additional CPU cost of a variant of the edge: the difference from the plain edge in the same round. */
  const addVariantVerdict = (subject, variant, limit) => {
    const differences = runs
      .filter(({ caseName, name }) => caseName === 'plain' && name === variant)
      .map(({ round, cpu }) => {
        const base = runs.find((run) => run.caseName === 'plain' && run.name === 'ours' && run.round === round);
        return base ? cpu - base.cpu : Number.NaN;
      });
    if (differences.length > 0) addVerdict(subject, median(differences), limit);
  };
  addVariantVerdict('the access log into a file, us', 'ours+log', MAX_LOG_US);
  addVariantVerdict('the access log to standard output, us', 'ours+stdout', MAX_LOG_US);
  addVariantVerdict('expiry, limit, CORS and instances, us', 'ours+policies', MAX_POLICIES_US);
  return lines;
}
