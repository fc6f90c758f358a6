import { findTargetRefusal } from '../platform/net/own-address';
import { CompiledConfig, type CompileOptions } from './compiled-config';
import type { ConfigUpdate, RowChange } from './config-snapshot';
import { createHostRouter, type HostMatch } from './hosts/host-router';
import { createUpstream, isSameUpstream, parseUpstream, type Upstream } from './upstream';

export interface RoutingSettings {
  BASE_DOMAIN: string;
  SITES_DOMAIN: string;
  CORE_URL: string;
  BFF_HOST: string;
  BFF_PORT: number;
  OWN_PORTS: readonly number[];
}

/** A complete configuration that is being compiled. Requests use it after `finish`. */
export interface TableRebuild {
  add(changes: readonly RowChange[]): void;
  finish(revision: number): void;
}

/**
 * The compiled configuration by which a worker routes requests. An update takes effect in one synchronous step, so no
 * request sees a part of an update.
 */
export class RoutingTable {
  revision: number | undefined;
  /** Number of applied updates. Unlike `revision`, it never repeats, even after the restore of a backup. */
  generation = 0;
  readonly core: readonly Upstream[];
  readonly bff: readonly Upstream[];
  readonly resolveHost: (host: string) => HostMatch;
  config: CompiledConfig;
  private readonly options: CompileOptions;

  constructor(settings: RoutingSettings, onInvalidRow: CompileOptions['onInvalidRow']) {
    const { BASE_DOMAIN, SITES_DOMAIN, CORE_URL, BFF_HOST, BFF_PORT, OWN_PORTS } = settings;
    this.core = [parseUpstream(CORE_URL).upstream];
    this.bff = [createUpstream({ host: BFF_HOST, port: BFF_PORT, tls: false })];
    // Sites and services must not lead to this installation itself, under any spelling of its addresses.
    const isOwn = (upstream: Upstream): boolean =>
      [...this.core, ...this.bff].some((ownUpstream) => isSameUpstream(ownUpstream, upstream)) ||
      findTargetRefusal(upstream.host, upstream.port, OWN_PORTS) === 'own';
    this.options = { sitesDomain: SITES_DOMAIN, isOwn, onInvalidRow };
    this.config = new CompiledConfig(this.options);
    this.resolveHost = createHostRouter(BASE_DOMAIN, SITES_DOMAIN, (host) => this.config.findSite(host));
  }

  apply({ revision, isComplete, changes }: ConfigUpdate): void {
    if (isComplete) {
      const replacement = this.startRebuild();
      replacement.add(changes);
      replacement.finish(revision);
      return;
    }
    this.config.apply(changes);
    this.onApplied(revision);
  }

  /** Starts a configuration beside the current one. The caller may add its rows in parts, between requests. */
  startRebuild(): TableRebuild {
    const next = new CompiledConfig(this.options);
    return {
      add: (changes) => next.apply(changes),
      finish: (revision) => {
        this.config = next;
        this.onApplied(revision);
      },
    };
  }

  private onApplied(revision: number): void {
    this.revision = revision;
    this.generation += 1;
  }
}
