/** Texts of the dialog that asks whose changes stay. */
export const conflictMessages = {
  title: 'Outra pessoa salvou antes de você',
  text: 'Enquanto você editava, isto mudou:',
  typed: (text: string) => `Você digitou: ${text}`,
  hint: 'Mantendo as suas, o que você digitou é salvo e o resto fica como a outra pessoa deixou.',
  keepMine: 'Manter as minhas',
  keepTheirs: 'Ficar com as dela',
} as const;
