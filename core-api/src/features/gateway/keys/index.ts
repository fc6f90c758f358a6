/** Interface of this feature for other features. */
export type { KeysService } from './keys.service';
