import type { ComponentProps } from 'react';
import { sitesHost } from '../../lib/host';
import { siteLabel } from '../../lib/siteLabel';
import { CODE_INPUT, TextField } from './textFields';

interface SubdomainFieldProps extends ComponentProps<typeof TextField> {
  /** Called with the subdomain that the text means, when the field is left. */
  onLabel: (label: string) => void;
}

/** The subdomain of a site, with the domain after it. A typed name or a pasted address becomes a subdomain. */
export function SubdomainField({ onLabel, ...props }: SubdomainFieldProps) {
  return (
    <TextField
      {...CODE_INPUT}
      {...props}
      suffix={`.${sitesHost()}`}
      onBlur={({ target }) => {
        const label = siteLabel(target.value);
        if (label !== '' && label !== target.value) onLabel(label);
      }}
      required
    />
  );
}
