import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: the system's settings. */
@Entity('settings')
export class SettingsRow {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Sealed (`encryption.ts`); empty when none is set. */
  @Column({ type: 'text' })
  telegramBotToken: string;

  @Column({ type: 'varchar', length: 255 })
  telegramChatId: string;
}
