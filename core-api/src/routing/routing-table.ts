import { targetFault } from '../platform/net/own-address';
import { CompiledConfig, type CompileOptions } from './compiled-config';
import type { ConfigUpdate, RowChange } from './config-snapshot';
import { createHostRouter, type HostRoute } from './host-router';
import { createUpstream, isSameUpstream, parseUpstream, type Upstream } from './upstream';

export interface RoutingTableOptions extends Pick<CompileOptions, 'onInvalidRow'> {
  baseDomain: string;
  sitesDomain: string;
  core: Upstream;
  bff: Upstream;
  /** Returns whether a target is a port of this installation on this machine. */
  isOwn: CompileOptions['isOwn'];
}

/** Addresses of this installation, from its environment variables. */
interface InstallationAddresses {
  BASE_DOMAIN: string;
  SITES_DOMAIN: string;
  CORE_URL: string;
  BFF_HOST: string;
  BFF_PORT: number;
  OWN_PORTS: readonly number[];
}

/** A complete configuration that is being compiled; requests do not see it before `finish`. */
export interface TableRebuild {
  add(changes: readonly RowChange[]): void;
  finish(revision: number): void;
}

/**
 * The compiled configuration that requests are routed with; it runs in each worker. An update takes effect in one synchronous
 * step, so no request sees half of it.
 */
export class RoutingTable {
  revision: number | undefined;
  /** Number of applied updates. Unlike `revision`, it never repeats when a database backup is restored. */
  generation = 0;
  readonly core: readonly Upstream[];
  readonly bff: readonly Upstream[];
  /** Returns the route of a Host header. */
  readonly resolveHost: (host: string) => HostRoute;
  config: CompiledConfig;

  constructor(private readonly options: RoutingTableOptions) {
    this.core = [options.core];
    this.bff = [options.bff];
    this.config = this.empty();
    this.resolveHost = createHostRouter(options.baseDomain, options.sitesDomain, (host) => this.config.siteAt(host));
  }

  static fromConfig(
    installation: InstallationAddresses,
    onInvalidRow: RoutingTableOptions['onInvalidRow'],
  ): RoutingTable {
    return new RoutingTable({
      baseDomain: installation.BASE_DOMAIN,
      sitesDomain: installation.SITES_DOMAIN,
      core: parseUpstream(installation.CORE_URL).upstream,
      bff: createUpstream(installation.BFF_HOST, installation.BFF_PORT, false),
      isOwn: ({ host, port }) => targetFault(host, port, installation.OWN_PORTS) === 'own',
      onInvalidRow,
    });
  }

  private empty(): CompiledConfig {
    return new CompiledConfig({
      sitesDomain: this.options.sitesDomain,
      isOwn: this.isOwn,
      onInvalidRow: this.options.onInvalidRow,
    });
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

  /** Compiles a complete configuration beside the current one, so that a long update need not block. */
  startRebuild(): TableRebuild {
    const next = this.empty();
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

  /** Sites and services must not lead to the core or the BFF, under any spelling of their addresses. */
  private readonly isOwn = (upstream: Upstream): boolean =>
    [...this.core, ...this.bff].some((own) => isSameUpstream(own, upstream)) || this.options.isOwn(upstream);
}
