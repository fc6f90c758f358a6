import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The generated password of the first administrator, where no terminal reads it: a file until somebody has logged in. */
export class FirstPassword {
  private readonly file: string;
  private exists: boolean;

  constructor(dataDir: string) {
    this.file = join(dataDir, 'first-password');
    this.exists = existsSync(this.file);
  }

  /** Shows it on the terminal, or keeps it in `DATA_DIR/first-password` for its owner alone; never in a log. */
  show(username: string, password: string): void {
    if (process.stdout.isTTY) {
      process.stdout.write(`Administrador criado: ${username}  senha: ${password}\n`);
      return;
    }
    writeFileSync(this.file, `${username}\n${password}\n`, { mode: 0o600 });
    this.exists = true;
  }

  /** Called after a login or a change of the password. */
  remove(): void {
    if (!this.exists) return;
    rmSync(this.file, { force: true });
    this.exists = false;
  }
}
