import { chakra, Flex, Grid } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Chip } from '../../../ui/cells/Chip';
import { CopyButton } from '../../../ui/cells/CopyButton';
import { DateTime, RelativeTime } from '../../../ui/cells/RelativeTime';
import { RowNameContext } from '../../../ui/list/rows/RowAction';
import { formatAllowedIps } from '../form/allowedIps';
import { keysMessages } from '../gateway-keys.messages';
import type { ApiKeyRowFragment } from '../generated/gateway-keys';
import styles from './KeyItem.module.css';
import { describeStatus, getKeyStatus, statusColors } from './keyStatus';
import { Sparkline } from './Sparkline';

const { list: messages, form: fieldMessages } = keysMessages;

interface KeyItemProps {
  apiKey: ApiKeyRowFragment;
  isOpen: boolean;
  onToggle: () => void;
  /** `RowAction`s of a key. */
  actions: (key: ApiKeyRowFragment) => ReactNode;
  /** Requests of each of the last 24 hours. */
  hourlyRequests?: readonly number[];
}

const Detail = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <chakra.dt color="fg.muted">{label}</chakra.dt>
    <Flex as="dd" wrap="wrap" align="center" gap="1.5" mb={{ base: '2', md: '0' }} overflowWrap="anywhere">
      {children}
    </Flex>
  </>
);

interface KeyDetailsProps extends Pick<KeyItemProps, 'apiKey' | 'actions'> {
  id: string;
}

/** The properties of an expanded key, and its actions. */
function KeyDetails({ id, apiKey, actions }: KeyDetailsProps) {
  const { permissions, allowedIps, expiresAt, rateLimit, note, createdAt, lastUsedAt } = apiKey;
  return (
    <chakra.div id={id} p={{ base: '12px 16px 16px', md: '12px 16px 16px 48px' }}>
      <Grid
        as="dl"
        templateColumns={{ base: 'minmax(0, 1fr)', md: '140px minmax(0, 1fr)' }}
        gap={{ base: '2px', md: '8px 16px' }}
      >
        <Detail label={messages.permissions}>
          {permissions.map((permission) => (
            <Chip key={permission}>{permission === '*' ? `* ${fieldMessages.fullAccess}` : permission}</Chip>
          ))}
        </Detail>
        <Detail label={messages.allowedIps}>
          {allowedIps.length === 0 ? messages.allIps : formatAllowedIps(allowedIps)}
          {allowedIps.length > 0 && <CopyButton text={formatAllowedIps(allowedIps)} label={messages.copyIps} />}
        </Detail>
        <Detail label={messages.expiry}>{expiresAt ? <DateTime at={expiresAt} /> : messages.noExpiry}</Detail>
        {getKeyStatus(apiKey) === 'rotating' && apiKey.previousExpiresAt && (
          <Detail label={messages.previous}>
            <DateTime at={apiKey.previousExpiresAt} />
          </Detail>
        )}
        {rateLimit && (
          <Detail label={messages.limit}>
            {messages.requests(rateLimit.requests)} {fieldMessages.window(rateLimit.seconds)}
          </Detail>
        )}
        {note && <Detail label={fieldMessages.note}>{note}</Detail>}
        <Detail label={messages.created}>
          <DateTime at={createdAt} />
        </Detail>
        <Detail label={messages.lastUsed}>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : messages.never}</Detail>
      </Grid>
      <Flex wrap="wrap" gap="2" mt="3" ms="-2">
        {actions(apiKey)}
      </Flex>
    </chakra.div>
  );
}

/** A key with name, status and usage. An expanded key also shows its details. */
export function KeyItem({ apiKey, isOpen, onToggle, actions, hourlyRequests }: KeyItemProps) {
  const { name, prefix, usageCount, lastUsedAt } = apiKey;
  const detailsId = useId();
  const status = getKeyStatus(apiKey);
  const lastDayRequests = hourlyRequests?.reduce((sum, count) => sum + count, 0) ?? 0;
  return (
    <>
      <button
        type="button"
        className={styles.key}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={onToggle}
      >
        <ChevronRight aria-hidden size={18} className={styles.chevron} />
        <span className={styles.title}>
          <strong className={styles.name}>{name}</strong>
          {prefix && <code className={styles.prefix}>{prefix}…</code>}
          <Chip color={statusColors[status]}>{describeStatus(apiKey)}</Chip>
        </span>
        <span className={styles.traffic}>
          {hourlyRequests && <Sparkline values={hourlyRequests} label={messages.lastDay(lastDayRequests)} />}
        </span>
        <span className={styles.usage}>
          {messages.requests(usageCount)}
          {lastUsedAt && (
            <small className={styles.lastUsed}>
              <RelativeTime at={lastUsedAt} />
            </small>
          )}
        </span>
      </button>
      {isOpen && (
        <RowNameContext value={name}>
          <KeyDetails id={detailsId} apiKey={apiKey} actions={actions} />
        </RowNameContext>
      )}
    </>
  );
}
