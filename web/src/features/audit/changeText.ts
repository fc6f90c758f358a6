import type { AuditAction, AuditedEntity } from '../../generated/graph';
import { isObject } from '../../lib/isObject';
import { dateTimeText } from '../../ui/list/RelativeTime';
import { auditMessages as messages } from './audit.messages';
import type { AuditEntry } from './csv';

type Change = Pick<AuditEntry['changes'][number], 'field'> & Partial<AuditEntry['changes'][number]>;

/** Names of entities by their id. */
export type Names = ReadonlyMap<string, string>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Fields that follow from another field of the same change, such as the first characters of a key from its digest. */
const DERIVED = new Set(['prefix', 'previousDigest', 'previousExpiresAt', 'setupEndsAt']);
/** A change of only one of these fields has a special name. */
const ACTS: Record<string, keyof typeof messages.acts> = {
  digest: 'changedKey',
  passwordHash: 'changedPassword',
  setupDigest: 'invited',
};

function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The field of a value. The same value can have another text in another field. */
interface Place {
  entity: AuditedEntity;
  field: string;
}

function textOf(value: unknown, place: Place, names: Names): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return messages.none;
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (typeof value === 'string' || typeof value === 'number') {
    const name = messages.valueName(place.entity, place.field, value);
    if (name !== null) return name;
  }
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return dateTimeText(value);
    if (UUID.test(value)) return names.get(value) ?? messages.unknownEntity(value.slice(0, 8));
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => textOf(item, place, names)).join(value.some(isObject) ? '; ' : ', ');
  }
  if (!isObject(value)) return String(value);
  const { requests, seconds } = value;
  if (typeof requests === 'number' && typeof seconds === 'number') return messages.rate(requests, seconds);
  const parts = Object.entries(value).map(([field, part]) => ({
    field,
    text: textOf(part, { ...place, field }, names),
  }));
  const given = parts.filter(({ text }) => text !== messages.none);
  if (given.length === 0) return messages.none;
  return given.map(({ field, text }) => `${messages.fieldName(place.entity, field)}: ${text}`).join(', ');
}

/** Converts a value of the audit trail from JSON to a readable text: names for ids, local times, `5 por minuto`. */
export const valueText = (value: string | null | undefined, place: Place, names: Names): string =>
  textOf(value == null ? null : parseValue(value), place, names);

/** The changes of an entry that are shown. A creation shows only the fields that have a value. */
export const shownChanges = <Shown extends Change>(
  { action, entity, changes }: { action: AuditAction; entity: AuditedEntity; changes: readonly Shown[] },
  names: Names,
): Shown[] =>
  changes.filter(
    ({ field, after }) =>
      !(field in ACTS) &&
      !DERIVED.has(field) &&
      (action !== 'create' || valueText(after, { entity, field }, names) !== messages.none),
  );

/** The verb of an entry: `trocou a chave` for a changed key, otherwise `alterou`, `criou` and so on. */
export function actionText(action: keyof typeof messages.actions, changes: readonly Change[]): string {
  const act = action === 'update' ? changes.map(({ field }) => ACTS[field]).find(Boolean) : undefined;
  return act ? messages.acts[act] : messages.actions[action];
}

/** The name of what changed; rules of alerts are named by their kind. */
export const entityName = ({ entity, name }: { entity: AuditedEntity; name: string }): string =>
  (entity === 'alert_rule' && messages.valueName(entity, 'kind', name)) || name;
