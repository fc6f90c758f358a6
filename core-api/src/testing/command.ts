import { Program } from '../../../scripts/testing/program';
import { buildCommand } from '../../../scripts/testing/stack';

type Command = 'admin' | 'backup' | 'restore' | 'move';

/** Runs a command of the core with `input` as its standard input, and waits for its end. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { args: programArgs } = buildCommand('core-api', `bin/${command}`, 'source');
  const program = new Program(command, [...programArgs, ...args], { environment, input });
  const code = await program.ended;
  return { code, ...program.written };
}
