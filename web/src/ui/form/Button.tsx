import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  size?: 'sm' | 'md' | 'lg';
  variant?: 'solid' | 'outline';
  /** The act destroys something. */
  danger?: boolean;
}

/** A button in words; its looks are those of `ui/theme/controls`. */
export const Button = ({ size = 'md', variant = 'solid', danger, ...rest }: ButtonProps) => (
  <button
    type="button"
    className="ui-button"
    data-size={size}
    data-variant={variant}
    data-danger={danger || undefined}
    {...rest}
  />
);

/** Turns while a call runs. */
export const Spinner = (props: ComponentProps<'span'>) => <span className="ui-spinner" {...props} />;
