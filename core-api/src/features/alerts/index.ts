export type { Condition } from './alert-kinds';
export type { AlertsService } from './alerts.service';
