import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { Varchar, Version } from '../../platform/database/schema/columns';

/** The installation's settings, a table of one row. */
@Audited({ entity: 'settings', secret: ['telegramBotToken'] })
@Entity('settings')
export class SettingsRow {
  @PrimaryColumn('integer') id: number;
  /** Encrypted (`encryption.ts`); empty if no token is set. */
  @Column('text') telegramBotToken: string;
  @Varchar(255) telegramChatId: string;
  @Version() version: number;
}
