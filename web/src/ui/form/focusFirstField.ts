/** Focuses the first field of the form on the page. It is the action of an empty list below a form. */
export function focusFirstField(): void {
  document.querySelector<HTMLElement>('main form :is(input, textarea)')?.focus();
  // The form grows and moves the button, so the second click of a double click would take the focus from the field.
  const keepFocus = (event: MouseEvent) => event.detail > 1 && event.preventDefault();
  window.addEventListener('mousedown', keepFocus, { capture: true, once: true });
}
