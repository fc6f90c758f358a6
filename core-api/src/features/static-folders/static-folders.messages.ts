export const staticFolderMessages = {
  path: 'Informe um caminho absoluto dentro das pastas permitidas.',
  forbidden: 'Sem permissão para criar esta pasta neste servidor.',
  notFolder: 'Neste caminho já existe algo que não é uma pasta.',
  failed: 'Não foi possível criar a pasta.',
} as const;
