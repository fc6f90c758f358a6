/** Interface of this feature for other features. */
export type { SettingsService } from './settings.service';
