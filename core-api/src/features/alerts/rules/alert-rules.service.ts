import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { applyChanges, editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import { type AlertKind, alertKinds, kindDefaults } from '../alert-kinds';
import { AlertChannel, AlertRule } from '../alert-settings.entity';
import { type FindSubject, requireSubject } from '../alert-subjects';
import { alertMessages as messages } from '../alerts.messages';
import type { RuleBody, RuleChanges, RuleResponse } from '../alerts.schema';
import { resolveRule } from './resolve-rule';

/** The rule of each kind of alert, and the rules of single subjects. */
export class AlertRulesService {
  constructor(
    private readonly database: Database,
    private readonly findSubject: FindSubject,
  ) {}

  async list(): Promise<RuleResponse[]> {
    const rows = await this.database.read.find(AlertRule, { order: { kind: 'ASC', subjectType: 'ASC' } });
    return rows.map(toRuleResponse);
  }

  /** Stores the default rule of each kind that has no rule yet. */
  async ensureAll(): Promise<void> {
    await this.database.concurrentWrite(async (manager) => {
      const existingKinds = new Set((await manager.findBy(AlertRule, { subjectType: '' })).map(({ kind }) => kind));
      const rules = alertKinds.filter((kind) => !existingKinds.has(kind)).map(createDefaultRule);
      await insertAll(manager, AlertRule, rules, { ignoreExisting: true });
    });
  }

  /** Creates a rule. Absent fields are taken from the rule of all subjects. @throws RuleError invalid, conflict */
  async create(context: ChangeContext, { kind, subject, ...changes }: RuleBody): Promise<RuleResponse> {
    const subjectId = await requireSubject(this.findSubject, subject);
    const row = await this.database
      .serializedWrite(context, async (manager) => {
        await checkRule(manager, kind, changes);
        const { enabled, severity, thresholds: defaults, channels } = resolveRule(await manager.find(AlertRule), kind);
        const thresholds = { ...defaults, ...changes.thresholds };
        const ruleFields = applyChanges({ enabled, severity, thresholds, channels }, { ...changes, thresholds });
        const rule = { _id: uuid(), kind, subjectType: subject.type, subjectId, ...ruleFields, version: 1 };
        await manager.insert(AlertRule, rule);
        return rule;
      })
      .catch(mapUniqueViolation({ 'alert_rules(kind, subjectType, subjectId)': ['subject', messages.ruleTaken] }));
    return toRuleResponse(row);
  }

  /** Changes the fields that are present. @throws RuleError invalid, notFound, stale */
  async update(context: ChangeContext, id: string, changes: RuleChanges): Promise<RuleResponse> {
    return this.database.serializedWrite(context, async (manager) => {
      const storedRule = await requireRule(manager, id);
      await checkRule(manager, storedRule.kind, changes);
      const thresholds = { ...storedRule.thresholds, ...changes.thresholds };
      const row = editRow(storedRule, { ...changes, thresholds }, context);
      await manager.update(AlertRule, { _id: id }, row);
      return toRuleResponse(row);
    });
  }

  /** Removes the rule of a single subject. @throws RuleError notFound; conflict for the rule of all subjects */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      const { subjectType } = await requireRule(manager, id);
      if (subjectType === '') throw new RuleError('conflict', messages.ruleGeneral);
      await manager.delete(AlertRule, { _id: id });
    });
  }
}

const createDefaultRule = (kind: AlertKind): AlertRule => ({
  _id: uuid(),
  kind,
  subjectType: '',
  subjectId: '',
  ...resolveRule([], kind),
  version: 1,
});

/** Checks that thresholds and channels are known. @throws RuleError invalid otherwise */
async function checkRule(
  manager: EntityManager,
  kind: AlertKind,
  { thresholds, channels }: RuleChanges,
): Promise<void> {
  if (Object.keys(thresholds ?? {}).some((name) => !(name in kindDefaults[kind].thresholds)))
    throw createFieldError('invalid', 'thresholds', messages.thresholds);
  if (!channels) return;
  const knownCount = await manager.countBy(AlertChannel, { _id: In(channels) });
  if (knownCount < new Set(channels).size) throw createFieldError('invalid', 'channels', messages.channels);
}

const toRuleResponse = ({ subjectType, subjectId, ...rule }: AlertRule): RuleResponse => ({
  ...rule,
  subject: subjectType === '' ? null : { type: subjectType, id: subjectId },
});

const requireRule = (manager: EntityManager, id: string): Promise<AlertRule> =>
  requireRow(manager, AlertRule, { _id: id }, messages.ruleNotFound);
