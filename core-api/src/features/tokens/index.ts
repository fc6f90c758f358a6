/** Interface of this feature for other features. */
export type { TokensService } from './tokens.service';
