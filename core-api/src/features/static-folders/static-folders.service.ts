import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getErrorCode } from '../../platform/errors/error-details';
import { RuleError } from '../../platform/errors/rule-error';
import { httpMessages } from '../../platform/http/http.messages';
import { parseStaticPath, type StaticRules } from '../../platform/net/static-root';
import { staticFolderMessages as messages } from './static-folders.messages';

const createInvalidError = (message: string) =>
  new RuleError('invalid', httpMessages.invalid, { fields: { path: message } });

const MESSAGE_BY_CODE: Readonly<Record<string, string>> = {
  EACCES: messages.forbidden,
  EPERM: messages.forbidden,
  EROFS: messages.forbidden,
  EEXIST: messages.notFolder,
  ENOTDIR: messages.notFolder,
};

/** The folders of this machine that may contain static sites. */
export class StaticFoldersService {
  constructor(private readonly rules: StaticRules) {}

  /** Lists `DATA_DIR/sites` and the folders of `STATIC_ROOTS` that are allowed, and whether they exist. */
  async list(): Promise<{ path: string; exists: boolean }[]> {
    const { staticRoots, dataDir } = this.rules;
    const paths = [...new Set([join(dataDir, 'sites'), ...staticRoots].map((path) => resolve(path)))];
    const allowedPaths = paths.filter((path) => parseStaticPath(path, this.rules) !== undefined);
    return Promise.all(allowedPaths.map(async (path) => ({ path, exists: await isFolder(path) })));
  }

  /** Creates a folder and its missing parents; an existing folder stays as it is. @throws RuleError invalid */
  async create(text: string): Promise<{ path: string; exists: boolean }> {
    const path = parseStaticPath(text, this.rules);
    if (path === undefined) throw createInvalidError(messages.path);
    try {
      await mkdir(path, { recursive: true, mode: 0o755 });
    } catch (error) {
      throw createInvalidError(MESSAGE_BY_CODE[getErrorCode(error)] ?? messages.failed);
    }
    return { path, exists: true };
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
