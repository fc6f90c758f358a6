import { dateTime } from '../../ui/list/RelativeTime';
import { auditMessages as messages } from './audit.messages';

interface Change {
  field: string;
  before?: string | null;
  after?: string | null;
}

/** Names of entities by their id. */
export type Names = ReadonlyMap<string, string>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Fields that follow from another field of the same change, such as the first characters of a key from its digest. */
const DERIVED = new Set(['prefix', 'previousDigest', 'previousExpiresAt', 'setupEndsAt']);
/** A change of one of these fields alone is an act with a name of its own. */
const ACTS: Record<string, keyof typeof messages.acts> = {
  digest: 'changedKey',
  passwordHash: 'changedPassword',
  setupDigest: 'invited',
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function textOf(value: unknown, names: Names): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return messages.none;
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return dateTime(value);
    if (UUID.test(value)) return names.get(value) ?? messages.unknownEntity(value.slice(0, 8));
    return messages.values[value] ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => textOf(item, names)).join(', ');
  if (!isObject(value)) return String(value);
  const { requests, seconds } = value;
  if (typeof requests === 'number' && typeof seconds === 'number') return messages.rate(requests, seconds);
  return Object.entries(value)
    .map(([field, part]) => `${messages.fieldName(field)}: ${textOf(part, names)}`)
    .join(', ');
}

/** A value of the audit trail, which is JSON, as people read it: names for ids, local times, `5 por minuto`. */
export const valueText = (value: string | null | undefined, names: Names): string =>
  textOf(value == null ? null : parsed(value), names);

/** The changes that are shown: of something new, those that have a value. */
export const shownChanges = <Shown extends Change>(action: string, changes: readonly Shown[], names: Names): Shown[] =>
  changes.filter(
    ({ field, after }) =>
      !(field in ACTS) && !DERIVED.has(field) && (action !== 'create' || valueText(after, names) !== messages.none),
  );

/** The act in words: `trocou a chave` for a changed key, else `alterou`, `criou`. */
export function actionText(action: keyof typeof messages.actions, changes: readonly Change[]): string {
  const act = action === 'update' ? changes.map(({ field }) => ACTS[field]).find(Boolean) : undefined;
  return act ? messages.acts[act] : messages.actions[action];
}
