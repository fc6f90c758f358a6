import type { ComponentProps } from 'react';

/** Props that a field passes to its HTML element, except props that Chakra's components define differently. */
export type ElementProps<Base extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Base>,
  'id' | 'required' | 'size' | 'color' | 'height' | 'width' | 'children'
>;
