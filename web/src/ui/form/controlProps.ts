import type { ComponentProps } from 'react';

/** Props of the HTML element that a field passes on, except those that Chakra's components define differently. */
export type ElementProps<Base extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Base>,
  'id' | 'required' | 'size' | 'color' | 'height' | 'width' | 'children'
>;
