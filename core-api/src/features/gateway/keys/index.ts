export type { KeysService } from './keys.service';
