import type { HttpMethod } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/cells/Chip';

/** Colours of methods (product §9). HEAD and OPTIONS have the neutral colour. */
const COLORS: Record<HttpMethod, ChipColor> = {
  GET: 'green',
  POST: 'blue',
  PUT: 'orange',
  DELETE: 'red',
  PATCH: 'purple',
  HEAD: 'neutral',
  OPTIONS: 'neutral',
};

export const MethodChip = ({ method }: { method: HttpMethod }) => <Chip color={COLORS[method]}>{method}</Chip>;
