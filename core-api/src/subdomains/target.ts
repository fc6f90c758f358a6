import { RuleError } from '../http/errors';
import { httpMessages } from '../http/http.messages';
import { parseTargetHost } from '../rules/address';
import { parseStaticPath } from '../rules/static-root';
import type { SubdomainType } from './subdomain.entity';
import { subdomainMessages as messages } from './subdomains.messages';

export interface TargetFields {
  type: SubdomainType;
  port: number | null;
  staticPath: string | null;
  apiPort: number | null;
  targetHost: string | null;
  targetPort: number | null;
}

export type PartialTarget = { [Field in keyof TargetFields]?: TargetFields[Field] } & { type: SubdomainType };

export interface TargetRules {
  ownPorts: readonly number[];
  staticRoots: readonly string[];
}

const none = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };

/** The fields of the chosen type alone, checked; those of other types are dropped. @throws RuleError invalid */
export function checkTarget(given: TargetFields, { ownPorts, staticRoots }: TargetRules): TargetFields {
  const fields: Record<string, string> = {};
  const fault = (name: keyof TargetFields, sentence: string) => {
    fields[name] = sentence;
    return null;
  };
  const localPort = (name: 'port' | 'apiPort') => {
    const value = given[name];
    return value !== null && ownPorts.includes(value) ? fault(name, messages.ownPort) : value;
  };
  const staticPath = () =>
    parseStaticPath(given.staticPath ?? '', staticRoots) ?? fault('staticPath', messages.staticPath);
  const targetHost = () => {
    const host = parseTargetHost(given.targetHost ?? '');
    if (host === 'forbidden') return fault('targetHost', messages.forbiddenHost);
    return host ?? fault('targetHost', messages.targetHost);
  };
  const byType: Record<SubdomainType, () => Partial<TargetFields>> = {
    proxy: () => ({ port: given.port === null ? fault('port', messages.port) : localPort('port') }),
    static: () => ({ staticPath: staticPath(), apiPort: localPort('apiPort') }),
    tunnel: () => ({ targetHost: targetHost(), targetPort: given.targetPort ?? fault('targetPort', messages.port) }),
  };
  const target = { ...none, type: given.type, ...byType[given.type]() };
  if (Object.keys(fields).length > 0) throw new RuleError('invalid', httpMessages.invalid, { fields });
  return target;
}
