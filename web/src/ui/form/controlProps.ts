import type { ComponentProps } from 'react';

/** Props of the HTML element that a field passes on, without those of `Field` and `TextValue`. */
export type ElementProps<Base extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Base>,
  'value' | 'onChange' | 'id' | 'required' | 'size' | 'color' | 'height' | 'width' | 'children'
>;

/** The value of a field that holds text. */
export interface TextValue {
  value: string;
  onChange?: (value: string) => void;
}
