import type { Page } from 'playwright-core';

/**
 * The controls of a page by their names. A text is the whole name of a control, a pattern matches any part of it.
 * @param current the page of the test that runs
 */
export const controls = (current: () => Page) => ({
  button: (name: string | RegExp, on: Page = current()) =>
    on.getByRole('button', { name, exact: typeof name === 'string' }),
  field: (name: string, on: Page = current()) => on.getByRole('textbox', { name, exact: true }),
});

/** Gives the password to the dialog that asks for it again. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirme a sua senha' });
  await dialog.getByLabel('Sua senha').fill(password);
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.waitFor({ state: 'detached' });
}
