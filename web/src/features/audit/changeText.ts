import type { AuditAction, AuditedEntity } from '../../generated/graph';
import { isObject } from '../../lib/isObject';
import { formatDateTime } from '../../ui/cells/RelativeTime';
import { auditMessages as messages } from './audit.messages';
import type { AuditEntry } from './csv';

type Change = Pick<AuditEntry['changes'][number], 'field'> & Partial<AuditEntry['changes'][number]>;

/** Names of entities by their id, and hosts in Unicode by their punycode. */
export type Names = ReadonlyMap<string, string>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Hidden fields, which change only with another field: the prefix of a key changes with its digest. */
const DERIVED_FIELDS = new Set(['prefix', 'previousDigest', 'previousExpiresAt']);
/** An update that changes one of these fields is shown with a special verb. */
const SPECIAL_ACTION_BY_FIELD: Record<string, keyof typeof messages.specialActions> = {
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

/** A field of an entity. The text of a value depends on its field. */
interface FieldOfEntity {
  entity: AuditedEntity;
  field: string;
}

/** Formats instants as local times, and ids and punycode as names. Other texts are unchanged. */
function formatString(value: string, names: Names): string {
  if (INSTANT.test(value)) return formatDateTime(value);
  return names.get(value) || (UUID.test(value) ? messages.unknownEntity(value.slice(0, 8)) : value);
}

/** Formats the fields of an object that have a value. */
function formatObject(value: Record<string, unknown>, { entity }: FieldOfEntity, names: Names): string {
  const { requests, seconds } = value;
  if (typeof requests === 'number' && typeof seconds === 'number') return messages.rate(requests, seconds);
  const fieldTexts = Object.entries(value).flatMap(([field, fieldValue]) => {
    const text = formatValue(fieldValue, { entity, field }, names);
    return text === messages.none ? [] : [`${messages.fieldName(entity, field)}: ${text}`];
  });
  return fieldTexts.join(', ') || messages.none;
}

function formatValue(value: unknown, fieldOfEntity: FieldOfEntity, names: Names): string {
  if (value === null || value === '') return messages.none;
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (Array.isArray(value)) {
    const separator = value.some(isObject) ? '; ' : ', ';
    return value.map((item) => formatValue(item, fieldOfEntity, names)).join(separator) || messages.none;
  }
  if (isObject(value)) return formatObject(value, fieldOfEntity, names);
  if (typeof value !== 'string' && typeof value !== 'number') return String(value);
  const name = messages.valueName(fieldOfEntity.entity, fieldOfEntity.field, value);
  return name ?? (typeof value === 'string' ? formatString(value, names) : String(value));
}

/** Converts a value of the audit trail from JSON to a readable text: names for ids, local times, `5 por minuto`. */
export const formatJson = (value: string | null | undefined, fieldOfEntity: FieldOfEntity, names: Names): string =>
  formatValue(value == null ? null : parseValue(value), fieldOfEntity, names);

/** The shown changes of an entry. A creation shows only the fields that have a value. */
export const selectChanges = <EntryChange extends Change>(
  { action, entity, changes }: { action: AuditAction; entity: AuditedEntity; changes: readonly EntryChange[] },
  names: Names,
): EntryChange[] =>
  changes.filter(
    ({ field, after }) =>
      !(field in SPECIAL_ACTION_BY_FIELD) &&
      !DERIVED_FIELDS.has(field) &&
      (action !== 'create' || formatJson(after, { entity, field }, names) !== messages.none),
  );

/** The verb of an entry: `trocou a chave` for a changed key, otherwise `alterou`, `criou` and so on. */
export function chooseVerb(action: keyof typeof messages.actions, changes: readonly Change[]): string {
  const specialAction =
    action === 'update' ? changes.map(({ field }) => SPECIAL_ACTION_BY_FIELD[field]).find(Boolean) : undefined;
  return specialAction ? messages.specialActions[specialAction] : messages.actions[action];
}

/** The name of the changed entity. The name of an alert rule is its kind. */
export const getEntityName = ({ entity, name }: { entity: AuditedEntity; name: string }, names: Names): string =>
  (entity === 'alert_rule' && messages.valueName(entity, 'kind', name)) || names.get(name) || name;
