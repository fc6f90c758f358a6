import { type Labels, toFamily, toHistogram } from './prometheus-text';
import { mergeCounts, type RequestCounts, toSamples } from './request-counts';
import { SUBJECT_BOUNDS_S } from './worker-metrics';

/** Sites or routes beyond this number share the label `other`. */
const MAX_NAMED = 300;
/** Maximum number of subjects whose recent activity is stored. */
const MAX_CANDIDATES = 20_000;
const REVIEW_INTERVAL_MS = 60_000;
/** Weight of a failed request, so that a failing site keeps its name beside busy sites. */
const FAILURE_WEIGHT = 1_000;
/** A candidate replaces a named subject only if it is over this many times as active, so that names rarely change. */
const MIN_ADVANTAGE = 2;
const OTHER = 'other';
const SERVER_ERROR_DIGIT = 5;

interface Totals extends RequestCounts {
  labels: Labels;
}

const createTotals = (labels: Labels): Totals => ({ labels, statuses: [], refused: [], seconds: 0, buckets: [] });

const countRequests = ({ statuses, refused }: RequestCounts): number =>
  statuses.reduce((sum, count) => sum + count, 0) + refused.reduce((sum, { count }) => sum + count, 0);

/**
 * Totals of the busiest and the failing sites (or routes) by name. All other sites are summed as `other`. No counter
 * decreases, because a subject that gains a name starts at 0, and its earlier requests stay in `other`. A subject that
 * loses its name disappears.
 */
export class TopSubjects {
  private readonly named = new Map<string, Totals>();
  private readonly other: Totals;
  /** Recent activity by key, halved at each review. */
  private readonly activity = new Map<string, number>();
  private lastReviewMs = 0;
  /** Keys of subjects that get a name with their next request. */
  private readonly promotedKeys = new Set<string>();

  constructor(private readonly subject: 'site' | 'route') {
    this.other = createTotals(subject === 'site' ? { site: OTHER } : { service: OTHER, route: OTHER });
  }

  /** @param labels undefined for a site or route that is no longer configured. @param nowMs by the monotonic clock */
  add(labels: Labels | undefined, counts: RequestCounts, nowMs: number): void {
    this.review(nowMs);
    mergeCounts(this.trackAndGetTotals(labels, counts), counts);
  }

  private trackAndGetTotals(labels: Labels | undefined, counts: RequestCounts): Totals {
    if (!labels) return this.other;
    const key = Object.values(labels).join(' ');
    const score = this.activity.get(key);
    if (score !== undefined || this.named.has(key) || this.activity.size < MAX_CANDIDATES)
      this.activity.set(
        key,
        (score ?? 0) + countRequests(counts) + FAILURE_WEIGHT * (counts.statuses[SERVER_ERROR_DIGIT] ?? 0),
      );
    const totals = this.named.get(key);
    if (totals) return totals;
    if (this.named.size >= MAX_NAMED && !this.promotedKeys.has(key)) return this.other;
    this.promotedKeys.delete(key);
    const newTotals = createTotals(labels);
    this.named.set(key, newTotals);
    return newTotals;
  }

  /** Gives the places of the least active named subjects to more active subjects. */
  private review(nowMs: number): void {
    if (nowMs - this.lastReviewMs < REVIEW_INTERVAL_MS) return;
    this.lastReviewMs = nowMs;
    this.promotedKeys.clear();
    if (this.named.size >= MAX_NAMED) this.replaceLeastActive();
    for (const [key, score] of this.activity) {
      if (score < 1) this.activity.delete(key);
      else this.activity.set(key, score / 2);
    }
  }

  private replaceLeastActive(): void {
    const getScore = (key: string) => this.activity.get(key) ?? 0;
    const candidates = [...this.activity.keys()]
      .filter((key) => !this.named.has(key))
      .sort((a, b) => getScore(b) - getScore(a));
    const leastActive = [...this.named.keys()].sort((a, b) => getScore(a) - getScore(b));
    for (const [index, key] of candidates.slice(0, leastActive.length).entries()) {
      const replacedKey = leastActive[index];
      if (replacedKey === undefined || getScore(key) <= MIN_ADVANTAGE * getScore(replacedKey)) return;
      this.named.delete(replacedKey);
      this.promotedKeys.add(key);
    }
  }

  /** Returns all totals as Prometheus text. @param description name of the subjects in the help texts */
  createText(description: string): string {
    const { subject } = this;
    const allTotals = [...this.named.values(), ...(this.other.statuses.length > 0 ? [this.other] : [])];
    return [
      toFamily(
        'counter',
        `edge_${subject}_requests_total`,
        `Requests of ${description}, by status class; with a reason those that the edge refused by its own rules.`,
        allTotals.flatMap((totals) => toSamples(totals.labels, totals)),
      ),
      toHistogram(
        `edge_${subject}_duration_seconds`,
        `Time until the end of the response at ${description}.`,
        SUBJECT_BOUNDS_S,
        allTotals,
      ),
    ].join('');
  }
}
