import type { HttpMethod } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/list/Chip';

/** product §9; HEAD and OPTIONS have no colour of their own. */
const colors: Record<HttpMethod, ChipColor> = {
  GET: 'green',
  POST: 'blue',
  PUT: 'orange',
  DELETE: 'red',
  PATCH: 'purple',
  HEAD: 'neutral',
  OPTIONS: 'neutral',
};

export const MethodChip = ({ method }: { method: HttpMethod }) => <Chip color={colors[method]}>{method}</Chip>;
