import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { Version } from '../../platform/database/columns';

/** The installation's settings, a table of one row. */
@Audited({ entity: 'settings', secret: ['telegramBotToken'] })
@Entity('settings')
export class SettingsRow {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Encrypted (`encryption.ts`); empty if no token is set. */
  @Column({ type: 'text' })
  telegramBotToken: string;

  @Column({ type: 'varchar', length: 255 })
  telegramChatId: string;

  @Version()
  version: number;
}
