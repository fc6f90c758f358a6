import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The generated password of the first administrator. Without a terminal the password is stored in a file until the
 * first login or the first change of a password.
 */
export class FirstPassword {
  private readonly file: string;
  private fileExists: boolean;

  constructor(dataDir: string) {
    this.file = join(dataDir, 'first-password');
    this.fileExists = existsSync(this.file);
  }

  /** Shows the password on the terminal, or writes it to `DATA_DIR/first-password` (mode 0600). No log contains it. */
  show(username: string, password: string): void {
    if (process.stdout.isTTY) {
      process.stdout.write(`Administrador criado: ${username}  senha: ${password}\n`);
      return;
    }
    writeFileSync(this.file, `${password}\n`, { mode: 0o600 });
    this.fileExists = true;
  }

  /** Removes the file; called after a login or a change of the password. */
  remove(): void {
    if (!this.fileExists) return;
    rmSync(this.file, { force: true });
    this.fileExists = false;
  }
}
