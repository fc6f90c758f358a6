/** For the action of an empty list whose form stands above it on the same page. */
export const focusFirstField = (): void =>
  document.querySelector<HTMLElement>('main form :is(input, textarea)')?.focus();
