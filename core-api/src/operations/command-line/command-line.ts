import { readFileSync, statSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { readConfig } from '../../platform/config/config';
import { RuleError } from '../../platform/errors/rule-error';
import { failStart } from '../../platform/lifecycle/start-failure';
import { commandMessages as messages } from './command-line.messages';

/**
 * Changes the user of the process to the owner of `folder`, so that core and edge can use the files that the command
 * writes. A user who is neither the owner nor root is refused.
 * @throws RuleError invalid
 */
function becomeOwner(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (!stat || user === undefined || stat.uid === user) return;
  if (user !== 0) throw new RuleError('invalid', messages.otherOwner(folder, stat.uid));
  // The process also takes the group of the folder, which core and edge may share.
  process.setgroups?.([stat.gid]);
  process.setgid?.(stat.gid);
  process.setuid?.(stat.uid);
}

/** Reads the environment of the process. Variables of the file (`EnvironmentFile=` of a unit) have precedence. */
function readEnvironment(envFile: string | undefined): NodeJS.ProcessEnv {
  if (envFile === undefined) return process.env;
  try {
    return { ...process.env, ...parseEnv(readFileSync(envFile, 'utf8')) };
  } catch (error) {
    throw new RuleError('invalid', messages.envFile(envFile), { cause: error });
  }
}

/**
 * Reads a command's arguments, and the configuration from the environment or `--env-file FILE`. Then the process
 * becomes the owner of `DATA_DIR`.
 * @param usage shown for an unknown option
 * @param optionNames this command's options with a value, without the hyphens
 * @param flagNames this command's options without a value, with the hyphens
 * @throws RuleError invalid, ConfigError
 */
export function readCommandLine(usage: string, optionNames: readonly string[] = [], flagNames: readonly string[] = []) {
  const args = process.argv.slice(2);
  const isFlag = (argument: string) => flagNames.includes(argument);
  const otherArguments = args.filter((argument) => !isFlag(argument));
  const { values, positionals } = parseArguments(usage, otherArguments, optionNames);
  const config = readConfig(readEnvironment(values['env-file']));
  becomeOwner(config.DATA_DIR);
  return { config, positionals, flags: new Set(args.filter(isFlag)), options: values };
}

function parseArguments(usage: string, args: string[], optionNames: readonly string[]) {
  const options = Object.fromEntries(['env-file', ...optionNames].map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new RuleError('invalid', usage, { cause: error });
  }
}

/** Runs a command and prints the lines that it returns. New files get mode 0600. */
export function runCommand(work: () => Promise<string[]>): void {
  process.umask(0o077);
  work().then(
    (lines) => process.stdout.write(`${lines.join('\n')}\n`),
    (error: unknown) => failStart(error, 'DATABASE_URL'),
  );
}
