export type { TokensService } from './tokens.service';
