import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { variables as bffVariables } from '../../bff/src/config';
import { variables as coreVariables } from '../../core-api/src/platform/config/config';
import { ROOT, waitFor } from '../testing/program';

const DEPLOY = join(ROOT, 'scripts/deploy');
const readDeployFile = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

describe('compose.yaml', () => {
  const { services } = parse(readDeployFile('container/compose.yaml'), { merge: true });
  const NAMES = ['core', 'bff', 'edge'] as const;

  test.each(NAMES)('%s runs as its own user, on a read-only root, without capabilities', (name) => {
    const [, user] =
      new RegExp(`useradd --uid (\\d+) --gid 10000 .*studio-${name}\\b`).exec(
        readDeployFile('container/Containerfile'),
      ) ?? [];
    expect(services[name]).toMatchObject({
      user: `${user}:10000`,
      read_only: true,
      cap_drop: ['ALL'],
      network_mode: 'host',
      pull_policy: 'never',
      healthcheck: { test: ['CMD', 'node', 'health.mjs', name] },
    });
    expect(services[name]).not.toHaveProperty('cap_add');
  });

  test('each service gets the variables that its process reads, and no secret of another service', () => {
    const secrets: Record<string, string[]> = {
      JWT_SECRET: ['core'],
      SETTINGS_KEY: ['core'],
      ADMIN_PASSWORD: ['core'],
      SMTP_URL: ['core'],
      AI_API_KEY: ['core'],
      DATABASE_URL: ['core', 'edge'],
    };
    for (const name of NAMES) {
      const processVariables = Object.keys((name === 'bff' ? bffVariables : coreVariables).shape);
      const serviceVariables = Object.keys(services[name].environment);
      expect(serviceVariables).toEqual(
        expect.arrayContaining(processVariables.filter((variable) => secrets[variable]?.includes(name) ?? true)),
      );
      expect(serviceVariables.filter((variable) => secrets[variable] && !secrets[variable].includes(name))).toEqual([]);
    }
  });

  test('Caddy sends the edge the token that `/ask` requires', () => {
    const [, askAddress] = /^\s*ask (\S+)$/m.exec(readDeployFile('container/Caddyfile')) ?? [];
    expect(askAddress).toBe('http://127.0.0.1:{$EDGE_ADMIN_PORT}/ask?token={$EDGE_ADMIN_TOKEN}');
    expect(services.edge.environment).toHaveProperty('EDGE_ADMIN_TOKEN');
    expect(services.caddy.environment).toHaveProperty('EDGE_ADMIN_TOKEN');
  });

  test('every variable of env.example reaches a container or Compose', () => {
    const containerVariables = new Set(
      Object.values<{ environment: object }>(services).flatMap(({ environment }) => Object.keys(environment)),
    );
    const documentedVariables = [...readDeployFile('container/env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, variable]) => variable,
    );
    const composeVariables = ['STUDIO_IMAGE', 'COMPOSE_PROFILES', 'EDGE_DATABASE_URL'];
    expect(
      documentedVariables.filter(
        (variable) => !containerVariables.has(String(variable)) && !composeVariables.includes(String(variable)),
      ),
    ).toEqual([]);
  });
});

test('the Caddyfile for containers forwards requests like the Caddyfile for systemd', () => {
  const readSnippet = (name: string) => /^\(edge\) \{\n[\s\S]*?\n\}\n/m.exec(readDeployFile(name))?.[0];
  expect(readSnippet('container/Caddyfile')).toBe(readSnippet('Caddyfile'));
  expect(readSnippet('Caddyfile')).toContain('lb_try_duration');
});

/**
 * This replacement for `docker` records its calls in a file. The file `running` is the output of `ps`, `build` hangs
 * if a file `hangs` exists, and calls that match a line of the file `fails` fail.
 */
const DOCKER = `#!/bin/sh
echo "$*" >> "$FAKE/calls"
case "$*" in
*' ps '*) cat "$FAKE/running" ;;
build*) [ ! -e "$FAKE/hangs" ] || exec tail -f /dev/null ;;
*backup.mjs*) cp "$STUDIO_DIR/.env" "$FAKE/env-at-backup" ;;
esac
[ ! -e "$FAKE/fails" ] || ! echo "$*" | grep -Eq -f "$FAKE/fails"
`;
/** This replacement for `getent` resolves the names that have a file in `names`. */
const GETENT = '#!/bin/sh\n[ ! -e "$FAKE/names/$2" ] || cat "$FAKE/names/$2"\n';
/** This replacement for `ss` reports the ports in the file `taken` as listening. */
const SS =
  '#!/bin/sh\nfor port in $(cat "$FAKE/taken"); do case "$*" in *":$port") echo "LISTEN 0 511 0.0.0.0:$port";; esac; done\n';

describe('install.sh', () => {
  let folder: string;
  let studio: string;
  const fakeFile = (name: string) => join(folder, 'fake', name);
  const getScriptPath = () => join(folder, 'release/deploy/container/install.sh');
  const createEnvironment = () => ({
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    FAKE: join(folder, 'fake'),
    STUDIO_DIR: studio,
  });
  const install = (args: string[], addedVariables: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> =>
    spawnSync('sh', [getScriptPath(), ...args], {
      encoding: 'utf8',
      env: { ...createEnvironment(), ...addedVariables },
    });
  const ARGUMENTS = ['Estudio.Example', 'Ana+x@Estudio.Example'];
  const readEnv = () => readFileSync(join(studio, '.env'), 'utf8');
  const readDockerCalls = () =>
    existsSync(fakeFile('calls')) ? readFileSync(fakeFile('calls'), 'utf8').split('\n').filter(Boolean) : [];
  const setVersion = (version: string) => writeFileSync(join(folder, 'release/VERSION'), `${version}\n`);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'install-'));
    studio = join(folder, "a studio's folder");
    for (const path of ['bin', 'fake/names', 'release/deploy']) mkdirSync(join(folder, path), { recursive: true });
    cpSync(join(DEPLOY, 'container'), join(folder, 'release/deploy/container'), { recursive: true });
    setVersion('1.0.0+abc.changed');
    for (const [name, text] of Object.entries({ docker: DOCKER, getent: GETENT, ss: SS }))
      writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
    for (const name of ['running', 'taken']) writeFileSync(fakeFile(name), '');
    for (const name of ['estudio.example', 'api.estudio.example'])
      writeFileSync(
        fakeFile(`names/${name}`),
        '203.0.113.7 STREAM x\n203.0.113.7 DGRAM\n2001:db8::7 STREAM\n127.0.1.1 STREAM\n',
      );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('install.sh writes .env with mode 0600, starts the containers, and prints where the first password is', () => {
    const { status, stdout, stderr } = install(ARGUMENTS);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('https://estudio.example/admin');
    expect(stdout).toContain('docker compose exec core cat /data/first-password');
    expect(
      readEnv()
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line)),
    ).toEqual([
      'STUDIO_IMAGE=studio:1.0.0-abc.changed',
      'BASE_DOMAIN=estudio.example',
      'PUBLIC_URL=https://estudio.example',
      'ACME_EMAIL=Ana+x@Estudio.Example',
      'SERVER_IP=203.0.113.7,2001:db8::7',
      expect.stringMatching(/^POSTGRES_PASSWORD=[0-9a-f]{48}$/),
    ]);
    expect(statSync(join(studio, '.env')).mode & 0o777).toBe(0o600);
    expect(readdirSync(studio).sort()).toEqual(['.env', 'Caddyfile', 'compose.yaml']);
    expect(readDockerCalls().filter((call) => /^(?:build|compose up)/.test(call))).toEqual([
      expect.stringContaining('--tag studio:1.0.0-abc.changed'),
      'compose up --detach --remove-orphans',
    ]);
  });

  test('a second run changes nothing in .env, makes no backup, and needs no free port', () => {
    install(ARGUMENTS);
    writeFileSync(join(studio, '.env'), `${readEnv()}SMTP_URL=smtp://mail.example\n`);
    const before = readEnv();
    writeFileSync(fakeFile('running'), 'abc\n');
    writeFileSync(fakeFile('taken'), '80 443 3000');
    const { status, stdout } = install(ARGUMENTS);
    expect([status, stdout.includes('Backup')]).toEqual([0, false]);
    expect(readEnv()).toBe(before);
    expect(statSync(join(studio, '.env')).mode & 0o777).toBe(0o600);
  });

  test('install.sh of a later version makes a backup before any change, and changes only STUDIO_IMAGE in .env', () => {
    install(ARGUMENTS);
    const before = readEnv();
    writeFileSync(fakeFile('running'), 'abc\n');
    setVersion('2.0.0');
    const { status, stdout } = install(ARGUMENTS);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/Backup da versão anterior: \/data\/before-2\.0\.0-\d{14}\.backup/),
    ]);
    expect(readFileSync(fakeFile('env-at-backup'), 'utf8')).toBe(before);
    expect(readEnv()).toBe(before.replace('studio:1.0.0-abc.changed', 'studio:2.0.0'));
  });

  test('a running installation keeps its version if the backup fails', () => {
    install(ARGUMENTS);
    const before = readEnv();
    writeFileSync(fakeFile('running'), 'abc\n');
    writeFileSync(fakeFile('fails'), 'backup.mjs');
    writeFileSync(fakeFile('calls'), '');
    setVersion('2.0.0');
    const { status, stderr } = install(ARGUMENTS);
    expect([status, stderr]).toEqual([1, expect.stringContaining('O backup falhou')]);
    expect(readEnv()).toBe(before);
    expect(readDockerCalls().some((call) => call.includes(' up '))).toBe(false);
  });

  test('--postgres enables the profile, with the same password in POSTGRES_PASSWORD and DATABASE_URL', () => {
    expect(install([...ARGUMENTS, '--postgres']).status).toBe(0);
    const [, password] = /^POSTGRES_PASSWORD=(.*)$/m.exec(readEnv()) ?? [];
    expect(readEnv()).toContain(`\nDATABASE_URL=postgres://studio:${password}@127.0.0.1:5432/studio\n`);
    expect(readEnv()).toContain('\nCOMPOSE_PROFILES=postgres\n');
  });

  test.each([
    ['no arguments', []],
    ['no mail address', ['estudio.example']],
    ['an unknown option', [...ARGUMENTS, '--force']],
    ['a blank in the domain', ['estudio example', 'a@b.example']],
    ['quotes in the domain', [`estudio"'.example`, 'a@b.example']],
    ['a shell command in the domain', ['$(touch hostile).example', 'a@b.example']],
    ['a line break in the domain', ['estudio.example\nJWT_SECRET=x', 'a@b.example']],
    ['a domain that looks like an option', ['--help.example', 'a@b.example']],
    ['a domain of one label', ['localhost', 'a@b.example']],
    ['an IP address as the domain', ['203.0.113.10', 'a@b.example']],
    ['a wildcard as the domain', ['*.estudio.example', 'a@b.example']],
    ['a domain with a label of 64 characters', [`${'a'.repeat(64)}.example`, 'a@b.example']],
    ['a domain that is too long', [`${'a.'.repeat(130)}example`, 'a@b.example']],
    ['a line break in the mail address', ['estudio.example', 'a@b.example\nJWT_SECRET=x']],
    ['special characters of sed in the mail address', ['estudio.example', 'a&/e@b.example']],
    ['a shell variable in the mail address', ['estudio.example', '$HOME@b.example']],
    ['a mail address without a domain', ['estudio.example', 'ana']],
  ])('with %s, install.sh prints one error line and changes nothing', (_case, args) => {
    const { status, stderr } = install(args);
    expect([status, stderr.split('\n').length]).toEqual([1, 2]);
    expect([existsSync(studio), readDockerCalls()]).toEqual([false, []]);
  });

  test('install.sh refuses a domain without DNS with one line', () => {
    rmSync(fakeFile('names/estudio.example'));
    expect(install(ARGUMENTS).stderr).toMatch(/^DNS: estudio\.example não aponta .*\n$/);
    expect(readdirSync(studio)).toEqual([]);
  });

  test.each(['80', '443', '3002'])('install.sh refuses the used port %s with one line', (port) => {
    writeFileSync(fakeFile('taken'), port);
    expect(install(ARGUMENTS).stderr).toMatch(new RegExp(`^A porta ${port} já está em uso .*\\n$`));
    expect(readdirSync(studio)).toEqual([]);
  });

  test('install.sh refuses the domain of a second installation, and a folder below a file, each with one line', () => {
    expect(install(ARGUMENTS).status).toBe(0);
    writeFileSync(fakeFile('names/outro.example'), '203.0.113.7 STREAM\n');
    expect(install(['outro.example', 'a@b.example']).stderr).toMatch(/\.env é de estudio\.example\..*\n$/);
    expect(install(ARGUMENTS, { STUDIO_DIR: join(studio, '.env/below') }).stderr).toMatch(
      /não foi possível criar a pasta.*\n$/,
    );
  });

  test('install.sh refuses to run if Docker does not respond or has no Compose', () => {
    writeFileSync(fakeFile('fails'), '^info');
    expect(install(ARGUMENTS).stderr).toMatch(/^O Docker não responde.*\n$/);
    writeFileSync(fakeFile('fails'), '^compose version');
    expect(install(ARGUMENTS).stderr).toMatch(/^Falta o Docker Compose 2.*\n$/);
    expect(existsSync(studio)).toBe(false);
  });

  test('a failed start is reported, and the next run continues with the same secrets', () => {
    writeFileSync(fakeFile('fails'), '^compose up');
    const { status, stderr } = install(ARGUMENTS);
    expect([status, stderr]).toEqual([1, expect.stringContaining('docker compose logs')]);
    const before = readEnv();
    rmSync(fakeFile('fails'));
    expect([install(ARGUMENTS).status, readEnv()]).toEqual([0, before]);
  });

  test('an interrupted run leaves no half-written file, and another run installs', async () => {
    writeFileSync(fakeFile('hangs'), '');
    const child = spawn('sh', [getScriptPath(), ...ARGUMENTS], {
      env: createEnvironment(),
      detached: true,
      stdio: 'ignore',
    });
    await waitFor('the build', () => readDockerCalls().some((call) => call.startsWith('build')));
    process.kill(-Number(child.pid), 'SIGINT');
    const [code, signal] = await once(child, 'exit');
    expect([code, signal]).not.toEqual([0, null]);
    expect(readdirSync(studio)).toEqual([]);
    rmSync(fakeFile('hangs'));
    expect(install(ARGUMENTS).status).toBe(0);
  });
});
