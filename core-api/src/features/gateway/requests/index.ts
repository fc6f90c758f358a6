export type { RequestLogService } from './request-log.service';
