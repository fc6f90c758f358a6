/** Confirmed state of a target, which a single failed probe does not change. */
export type ConfirmedState = 'up' | 'down' | 'unknown';

/** Failures and successes in a row that confirm a change. */
const FAILURES_TO_DOWN = 3;
const SUCCESSES_TO_UP = 2;

/** The result of one probe. `isUp` is undefined for an uncertain result, for example without a network. */
export interface ProbeOutcome {
  isUp: boolean | undefined;
  /** Milliseconds since the epoch. */
  at: number;
  reason: string | null;
}

export interface TrackedState {
  readonly confirmed: ConfirmedState;
  /** Start of the confirmed state, ms since the epoch; an outage starts with the first failed probe. */
  readonly since: number;
  /** Probes in a row that contradict the confirmed state. */
  readonly contradictions: number;
  /** Time of the first probe that contradicted the confirmed state. */
  readonly contradictedSince: number | undefined;
  readonly reason: string | null;
}

export const createInitialState = (now: number): TrackedState => ({
  confirmed: 'unknown',
  since: now,
  contradictions: 0,
  contradictedSince: undefined,
  reason: null,
});

function toObservedState(isUp: boolean | undefined): ConfirmedState {
  if (isUp === undefined) return 'unknown';
  return isUp ? 'up' : 'down';
}

/** Number of probes in a row that confirm a change to the observed state. */
function getConfirmationCount(newState: ConfirmedState, confirmed: ConfirmedState): number {
  if (newState === 'down') return FAILURES_TO_DOWN;
  return newState === 'up' && confirmed === 'down' ? SUCCESSES_TO_UP : 1;
}

/** Returns the state after one more probe. */
export function applyProbe(state: TrackedState, { isUp, at, reason }: ProbeOutcome): TrackedState {
  const newState = toObservedState(isUp);
  if (newState === state.confirmed)
    return { ...state, contradictions: 0, contradictedSince: undefined, reason: reason ?? state.reason };
  const contradictedSince = state.contradictedSince ?? at;
  const contradictions = state.contradictions + 1;
  if (contradictions < getConfirmationCount(newState, state.confirmed))
    return { ...state, contradictions, contradictedSince };
  return { confirmed: newState, since: contradictedSince, contradictions: 0, contradictedSince: undefined, reason };
}

/** Whether the next probe should follow quickly, because the last probe contradicted the confirmed state. */
export const hasContradiction = ({ contradictions }: TrackedState): boolean => contradictions > 0;

/**
 * Time up to which the confirmed state held for certain, ms since the epoch. The first probe that contradicts the state
 * may be the start of a change.
 */
export const getConfirmedUntil = ({ contradictedSince }: TrackedState, now: number): number => contradictedSince ?? now;

export interface Period {
  state: ConfirmedState;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Splits the time before a check into periods by state. Time in doubt is left out until a check decides its state. */
export function listPeriods(before: TrackedState, after: TrackedState, at: number): Period[] {
  if (before.confirmed === after.confirmed) return [{ state: after.confirmed, until: getConfirmedUntil(after, at) }];
  return [
    { state: before.confirmed, until: after.since },
    { state: after.confirmed, until: at },
  ];
}
