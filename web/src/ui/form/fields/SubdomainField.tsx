import type { ComponentProps } from 'react';
import { getSitesDomainWithPort } from '../../../lib/hosts/host';
import { toSiteLabel } from '../../../lib/hosts/siteLabel';
import { CODE_INPUT, TextField } from './textFields';

interface SubdomainFieldProps extends ComponentProps<typeof TextField> {
  /** Called on blur and on Enter with the result of `toSiteLabel`, if it differs from the text. */
  onLabel?: (label: string) => void;
}

/** The subdomain of a site, with the domain after it. A typed name or a pasted URL becomes a subdomain. */
export function SubdomainField({ onLabel, ...props }: SubdomainFieldProps) {
  const completeLabel = (text: string) => {
    const label = toSiteLabel(text);
    if (label !== '' && label !== text) onLabel?.(label);
  };
  return (
    <TextField
      {...CODE_INPUT}
      {...props}
      suffix={`.${getSitesDomainWithPort()}`}
      onBlur={({ target }) => completeLabel(target.value)}
      // Enter submits the form without a blur.
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') completeLabel(currentTarget.value);
      }}
      required
    />
  );
}
