/** `npm run build`: everything that the three processes need, without starting them. */
import { checkNode } from './node.mjs';
import { built } from './setup.mjs';

checkNode();
await built();
