import { formatBytes } from '../../lib/format/bytes';
import { Chip } from '../../ui/cells/Chip';
import rowStyles from '../../ui/cells/cells.module.css';
import { DateTime, RelativeTime } from '../../ui/cells/RelativeTime';
import type { Column } from '../../ui/list/column';
import type { VersionRowFragment } from './generated/versions';
import { versionsMessages } from './versions.messages';

export type Version = VersionRowFragment;

const { list: messages } = versionsMessages;

function State({ state, current, pinned }: Version) {
  if (state === 'receiving') return <Chip color="blue">{messages.receiving}</Chip>;
  if (state === 'failed') return <Chip color="red">{messages.failed}</Chip>;
  return (
    <>
      {current && <Chip color="green">{messages.live}</Chip>} {pinned && <Chip>{messages.pinned}</Chip>}
    </>
  );
}

function Preview({ number, previewUrl, previewExpiresAt, previewHasPassword }: Version) {
  if (!previewUrl || !previewExpiresAt) return '–';
  if (Date.parse(previewExpiresAt) <= Date.now()) return <span className={rowStyles.muted}>{messages.ended}</span>;
  return (
    <>
      <a
        className={rowStyles.link}
        href={previewUrl}
        target="_blank"
        rel="noreferrer"
        aria-label={messages.previewOf(number)}
      >
        {messages.openPreview}
      </a>
      <small className={rowStyles.below}>
        {messages.until} <DateTime at={previewExpiresAt} />
        {previewHasPassword && `, ${messages.protected}`}
      </small>
    </>
  );
}

export const versionColumns: Column<Version>[] = [
  {
    id: 'number',
    header: messages.columns.version,
    isHeading: true,
    width: '150px',
    cell: (version) => (
      <span className={rowStyles.wrap}>
        {messages.short(version.number)} <State {...version} />
      </span>
    ),
    sort: ({ number }) => number,
  },
  {
    id: 'createdAt',
    header: messages.columns.published,
    width: '150px',
    cell: ({ createdAt, actor }) => (
      <>
        <RelativeTime at={createdAt} />
        <small className={rowStyles.below}>{messages.by(actor)}</small>
      </>
    ),
    sort: ({ createdAt }) => createdAt,
  },
  { id: 'message', isWide: true, header: messages.columns.message, flex: 2, cell: ({ message }) => message ?? '–' },
  {
    id: 'bytes',
    header: messages.columns.size,
    width: '120px',
    cell: ({ bytes, files }) => (
      <>
        {formatBytes(bytes)}
        <small className={rowStyles.below}>{messages.files(files)}</small>
      </>
    ),
    sort: ({ bytes }) => bytes,
  },
  { id: 'preview', header: messages.columns.preview, width: '190px', cell: (version) => <Preview {...version} /> },
];
