/** Interface of this feature for other features. */
export { removePolicyOf } from './host-policies.service';
