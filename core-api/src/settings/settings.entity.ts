import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../database/audited';
import { Version } from '../database/columns';

/** One row: the system's settings. */
@Audited({ entity: 'settings', secret: ['telegramBotToken'] })
@Entity('settings')
export class SettingsRow {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Sealed (`encryption.ts`); empty when none is set. */
  @Column({ type: 'text' })
  telegramBotToken: string;

  @Column({ type: 'varchar', length: 255 })
  telegramChatId: string;

  @Version()
  version: number;
}
