export const installationMessages = {
  emptyDatabase: (variable: string, file: string) =>
    `${variable}: o banco de dados está vazio, mas ${file} é de uma instalação que já existe. Indique o banco dela, ou restaure uma cópia; para instalar de novo, use outra pasta em DATA_DIR.`,
} as const;
