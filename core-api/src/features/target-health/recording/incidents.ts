import { type EntityManager, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { TargetIncident } from '../target-health.entity';
import type { TrackedState } from './target-tracker';

/** A change of a target's confirmed state. */
export type Transition = { target: string; trackedState: TrackedState };

/** Opens an incident for each confirmed outage, and ends the incidents of targets that are no longer down. */
export async function storeIncidents(
  manager: EntityManager,
  machineId: string,
  transitions: Iterable<Transition>,
): Promise<void> {
  for (const { target, trackedState } of transitions) {
    const at = new Date(trackedState.since).toISOString();
    if (trackedState.confirmed === 'down') {
      const incident = { _id: uuid(), target, machineId, startedAt: at, endedAt: null, reason: trackedState.reason };
      await insertAll(manager, TargetIncident, [incident]);
    } else {
      await manager.update(TargetIncident, { target, machineId, endedAt: IsNull() }, { endedAt: at });
    }
  }
}
