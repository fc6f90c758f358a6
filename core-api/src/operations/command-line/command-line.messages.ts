export const commandMessages = {
  envFile: (path: string) => `${path}: não foi possível ler o arquivo de variáveis.`,
  otherOwner: (folder: string, owner: number) =>
    `${folder} é de outro usuário (${owner}): rode o comando como ele, ou como administrador da máquina.`,
} as const;
