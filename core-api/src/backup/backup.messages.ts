import { commandName } from '../command-name';

const number = (value: number) => value.toLocaleString('pt-BR');
const rowsOf = (rows: number, tables: number) => `${number(rows)} linhas em ${number(tables)} tabelas`;

export const backupMessages = {
  backupUsage: `Uso: ${commandName('backup')} ARQUIVO [--env-file ARQUIVO]`,
  restoreUsage: `Uso: ${commandName('restore')} ARQUIVO [--env-file ARQUIVO]`,
  moveUsage: `Uso: ${commandName('move')} postgres://… [--env-file ARQUIVO]`,
  noDatabase: (where: string) => `Não há banco de dados em ${where}; nada foi feito.`,
  notInstalled: (where: string) =>
    `O banco de dados ${where} não é deste produto, ou ainda está vazio; nada foi feito.`,
  exists: (path: string) => `${path} já existe; nada foi feito.`,
  newer: (name: string, newest: string) =>
    `O banco de dados é de uma versão mais nova (${name}) do que esta (${newest}); nada foi feito.`,
  newerFile: (name: string, newest: string) =>
    `O arquivo é de uma versão mais nova (${name}) do que esta (${newest}); nada foi feito.`,
  notABackup: (path: string) => `${path} não é uma cópia feita pelo comando backup; nada foi feito.`,
  damaged: (path: string) => `${path} está danificado; nada foi feito.`,
  otherSecret: (name: string) => `${name}: a variável não é o segredo que está na cópia; nada foi feito.`,
  running: (where: string) => `O produto está em execução com o banco de dados ${where}; pare-o antes. Nada foi feito.`,
  notEmpty: (where: string) => `O banco de dados ${where} não está vazio; nada foi feito.`,
  notPostgres: 'O destino deve começar com postgres://.',
  backedUp: (where: string, path: string, rows: number, tables: number) =>
    `Cópia de ${where} feita em ${path}: ${rowsOf(rows, tables)}, com os segredos. Guarde o arquivo como uma senha.`,
  restored: (where: string, createdAt: string, rows: number, tables: number) =>
    `${where} restaurado da cópia de ${createdAt}: ${rowsOf(rows, tables)}.`,
  oldFiles: (where: string) => `O que havia antes está em ${where}.`,
  moved: (from: string, to: string, rows: number, tables: number) =>
    `${from} copiado para ${to}: ${rowsOf(rows, tables)}, conferidas tabela por tabela.`,
  setDatabaseUrl: 'Defina DATABASE_URL com este endereço em cada máquina e inicie. O arquivo antigo ficou como estava.',
  startNow: 'Inicie o produto de novo.',
} as const;
