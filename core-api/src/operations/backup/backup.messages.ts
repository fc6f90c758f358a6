import { getCommandLine } from '../../platform/installation/command-name';

const formatNumber = (value: number) => value.toLocaleString('pt-BR');
const formatRows = (rows: number, tables: number) => `${formatNumber(rows)} linhas em ${formatNumber(tables)} tabelas`;

const COPIED_VERSIONS = { live: 'da versão atual e da anterior de cada site', all: 'de todas as versões' } as const;

export const backupMessages = {
  backupUsage: `Uso: ${getCommandLine('backup')} ARQUIVO [--sites live|all|none] [--env-file ARQUIVO]`,
  restoreUsage: `Uso: ${getCommandLine('restore')} ARQUIVO [--passphrase-file ARQUIVO] [--env-file ARQUIVO]`,
  moveUsage: `Uso: ${getCommandLine('move')} postgres://… [--env-file ARQUIVO]`,
  noDatabase: (where: string) => `Não há banco de dados em ${where}; nada foi feito.`,
  notInstalled: (where: string) =>
    `O banco de dados ${where} não é deste produto, ou ainda está vazio; nada foi feito.`,
  unusableFolder: (folder: string, code: string) =>
    code === 'ENOENT'
      ? `A pasta ${folder} não existe; nada foi feito.`
      : `Não é possível gravar na pasta ${folder} (${code}); nada foi feito.`,
  exists: (path: string) => `${path} já existe; nada foi feito.`,
  newer: (name: string, newest: string) =>
    `O banco de dados é de uma versão mais nova (${name}) do que esta (${newest}); nada foi feito.`,
  newerFile: (name: string, newest: string) =>
    `O arquivo é de uma versão mais nova (${name}) do que esta (${newest}); nada foi feito.`,
  notABackup: (path: string) => `${path} não é uma cópia feita pelo comando backup; nada foi feito.`,
  needsPassphrase: (path: string) =>
    `${path} está cifrado; informe a frase secreta com --passphrase-file ARQUIVO. Nada foi feito.`,
  passphraseFile: (path: string) => `${path} não pôde ser lido; nada foi feito.`,
  wrongPassphrase: (path: string) =>
    `${path} não pôde ser decifrado: a frase secreta é outra ou o arquivo está danificado. Nada foi feito.`,
  damaged: (path: string) => `${path} está danificado; nada foi feito.`,
  foreign: (path: string, name: string) => `${path} contém ${name}, que não é deste produto; nada foi feito.`,
  otherSecret: (name: string) => `${name}: a variável não é o segredo que está na cópia; nada foi feito.`,
  running: (where: string) => `O produto está em execução com o banco de dados ${where}; pare-o antes. Nada foi feito.`,
  notEmpty: (where: string) => `O banco de dados ${where} não está vazio; nada foi feito.`,
  notPostgres: 'O destino deve começar com postgres://.',
  backedUp: (where: string, path: string, rows: number, tables: number) =>
    `Cópia de ${where} feita em ${path}: ${formatRows(rows, tables)}, com os segredos. Guarde o arquivo como uma senha.`,
  sites: (choice: 'live' | 'all' | 'none', totals: Record<'files' | 'bytes' | 'missing', number>) => [
    choice === 'none'
      ? 'A cópia não tem os arquivos dos sites (--sites none).'
      : `Sites: ${formatNumber(totals.files)} arquivos (${formatNumber(Math.ceil(totals.bytes / 1024))} kB), ${COPIED_VERSIONS[choice]}, e a pasta sites de DATA_DIR. Outras pastas e os bancos dos tenants não estão na cópia.`,
    ...(totals.missing > 0
      ? [`Faltam nesta máquina ${formatNumber(totals.missing)} arquivos de versões, que não estão na cópia.`]
      : []),
  ],
  restoredSites: (files: number) =>
    files === 0 ? 'A cópia não tem arquivos de sites.' : `Sites: ${formatNumber(files)} arquivos restaurados.`,
  unusableStaticPaths: (folders: readonly string[]) =>
    `Sites são servidos de pastas que não existem nesta máquina ou que STATIC_ROOTS não permite: ${folders.join(', ')}. Copie-as, ou mude o caminho no console.`,
  restored: (where: string, createdAt: string, rows: number, tables: number) =>
    `${where} restaurado da cópia de ${createdAt}: ${formatRows(rows, tables)}.`,
  oldFiles: (where: string) => `O que havia antes está em ${where}.`,
  moved: (from: string, to: string, rows: number, tables: number) =>
    `${from} copiado para ${to}: ${formatRows(rows, tables)}, conferidas tabela por tabela.`,
  setDatabaseUrl: 'Defina DATABASE_URL com este endereço em cada máquina e inicie. O arquivo antigo ficou como estava.',
  undeletedEdgeSnapshot: (path: string) =>
    `${path} é da borda e ficou. Se o backup é de outra instalação, apague esse arquivo antes de iniciar.`,
  startNow: 'Inicie o produto de novo.',
} as const;
