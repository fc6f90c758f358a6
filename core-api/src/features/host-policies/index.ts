export { removePolicyOf } from './host-policies.service';
