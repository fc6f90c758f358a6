import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { type Config, readConfig } from '../config';
import { RuleError } from '../errors';
import { commandMessages as messages } from './commands.messages';
import { becomeOwner } from './owner';

interface CommandLine {
  config: Config;
  positionals: string[];
  /** Options without a value, as they were given. */
  flags: ReadonlySet<string>;
}

/** The variables of a file, as `EnvironmentFile=` of a unit has them, over those of the process. */
function environmentOf(envFile: string | undefined): NodeJS.ProcessEnv {
  if (envFile === undefined) return process.env;
  try {
    return { ...process.env, ...parseEnv(readFileSync(envFile, 'utf8')) };
  } catch (error) {
    throw new RuleError('invalid', messages.envFile(envFile), { cause: error });
  }
}

/**
 * Reads a command's arguments, and the configuration from the environment or `--env-file FILE`.
 * @param usage shown when an option is unknown
 * @param flagNames this command's options without a value
 * @throws RuleError invalid, ConfigurationError; what follows runs as the owner of `DATA_DIR`
 */
export function readCommandLine(usage: string, flagNames: readonly string[] = []): CommandLine {
  const args = process.argv.slice(2);
  const { values, positionals } = parse(
    usage,
    args.filter((argument) => !flagNames.includes(argument)),
  );
  const config = readConfig(environmentOf(values['env-file']));
  becomeOwner(config.DATA_DIR);
  return {
    config,
    positionals,
    flags: new Set(args.filter((argument) => flagNames.includes(argument))),
  };
}

function parse(usage: string, args: string[]) {
  try {
    return parseArgs({ args, options: { 'env-file': { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new RuleError('invalid', usage, { cause: error });
  }
}

/** Files that a command writes have mode 0600. */
export function runCommand(work: () => Promise<string[]>, fail: (error: unknown) => never): void {
  process.umask(0o077);
  work().then((lines) => process.stdout.write(`${lines.join('\n')}\n`), fail);
}
