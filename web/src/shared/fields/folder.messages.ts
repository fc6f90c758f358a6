export const folderMessages = {
  allowed: 'Pastas permitidas:',
  create: 'Criar esta pasta',
  created: 'A pasta existe.',
  failed: 'Não foi possível criar a pasta.',
} as const;
