import type { Page } from 'playwright-core';

/**
 * Returns functions that locate the controls of a page by their names. A text must be the whole name of a control. A
 * pattern may match a part of the name.
 * @param currentPage returns the page of the running test
 */
export const controls = (currentPage: () => Page) => ({
  button: (name: string | RegExp, inPage: Page = currentPage()) =>
    inPage.getByRole('button', { name, exact: typeof name === 'string' }),
  field: (name: string, inPage: Page = currentPage()) => inPage.getByRole('textbox', { name, exact: true }),
});

/** Enters the password in the dialog that asks for it again. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirme a sua senha' });
  await dialog.getByLabel('Sua senha').fill(password);
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.waitFor({ state: 'detached' });
}
