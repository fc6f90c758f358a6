/** `npm run build`: everything that the three processes need, without starting them. */
import { built, checkNode } from './setup.mjs';

checkNode();
await built();
