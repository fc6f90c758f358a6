import type { EntityManager } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import type { ConfirmedState } from './target-tracker';

export type StateSeconds = Readonly<Record<ConfirmedState, number>>;

export const NO_SECONDS: StateSeconds = { up: 0, down: 0, unknown: 0 };

export const addSeconds = (a: StateSeconds, b: StateSeconds): StateSeconds => ({
  up: a.up + b.up,
  down: a.down + b.down,
  unknown: a.unknown + b.unknown,
});

export class SecondsByDay {
  private readonly daysByTarget = new Map<string, Map<string, StateSeconds>>();

  add(target: string, day: string, seconds: StateSeconds): void {
    const days = this.daysByTarget.get(target) ?? new Map<string, StateSeconds>();
    days.set(day, addSeconds(days.get(day) ?? NO_SECONDS, seconds));
    this.daysByTarget.set(target, days);
  }

  listDays(target: string): [day: string, seconds: StateSeconds][] {
    return [...(this.daysByTarget.get(target) ?? [])];
  }

  delete(target: string): void {
    this.daysByTarget.delete(target);
  }

  clear(): void {
    this.daysByTarget.clear();
  }
}

export interface DayRow extends StateSeconds {
  target: string;
  machineId: string;
  day: string;
}

/** Adds the seconds to the stored seconds, in the transaction of `manager`. */
export async function storeDays(manager: EntityManager, days: readonly DayRow[]): Promise<void> {
  for (const batch of chunks(days)) {
    const placeholders = batch.map((_row, index) => `(${[1, 2, 3, 4, 5, 6].map((place) => `$${6 * index + place}`)})`);
    await manager.query(
      `INSERT INTO target_days (target, "machineId", day, "upSeconds", "downSeconds", "unknownSeconds")
        VALUES ${placeholders}
        ON CONFLICT (target, "machineId", day) DO UPDATE SET
          "upSeconds" = target_days."upSeconds" + excluded."upSeconds",
          "downSeconds" = target_days."downSeconds" + excluded."downSeconds",
          "unknownSeconds" = target_days."unknownSeconds" + excluded."unknownSeconds"`,
      batch.flatMap(({ target, machineId, day, up, down, unknown }) => [target, machineId, day, up, down, unknown]),
    );
  }
}
