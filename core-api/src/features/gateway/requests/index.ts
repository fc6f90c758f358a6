/** Interface of this feature for other features. */
export type { RequestLogService } from './request-log.service';
