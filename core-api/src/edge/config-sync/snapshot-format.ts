import { createReadStream } from 'node:fs';
import type { ConfigPosition, RowChange } from '../../routing/config-snapshot';
import { earlierSnapshot, isSnapshotRow, snapshotCommit, snapshotHeader } from './state-files.schema';
import { parseJson } from './state-folder';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A part of a snapshot file. `readSnapshot` yields the parts in the order of the file. */
export type SnapshotEntry =
  | { kind: 'header'; installationId: string | undefined; isEarlierFormat: boolean }
  /** Some rows of the base, or all rows of a later update with a commit line. */
  | { kind: 'rows'; changes: RowChange[] }
  /** Ends the base or an update. `end` is the offset of the byte after the commit line. */
  | { kind: 'commit'; position: ConfigPosition; end: number };

const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const formatHeader = (installationId: string | undefined): string => toLine({ version: 2, installationId });
export const formatRows = (changes: readonly RowChange[]): string => changes.map(toLine).join('');
export const formatCommit = (position: ConfigPosition): string => toLine(position);

/** Yields the complete lines of each chunk. An unfinished last line is dropped, unless it is the only line. */
async function* readLines(path: string): AsyncGenerator<string[]> {
  let unfinishedLine: Buffer[] = [];
  let hasNewline = false;
  for await (const data of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const chunk: Buffer = data;
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) unfinishedLine.push(chunk);
    else {
      const text = Buffer.concat([...unfinishedLine, chunk.subarray(0, end)]).toString('utf8');
      unfinishedLine = [chunk.subarray(end)];
      hasNewline = true;
      yield text.slice(0, -1).split('\n');
    }
  }
  // Earlier builds wrote one line without a newline.
  if (!hasNewline && unfinishedLine.length > 0) yield [Buffer.concat(unfinishedLine).toString('utf8')];
}

/** Parses the lines after the header, up to the first unreadable line. */
class SnapshotBody {
  isReadable = true;
  private isInBase = true;
  private changes: RowChange[] = [];

  constructor(private nextOffset: number) {}

  *read(lines: readonly string[]): Generator<SnapshotEntry> {
    for (const line of lines) {
      this.nextOffset += Buffer.byteLength(line) + 1;
      const value = parseJson(line);
      if (isSnapshotRow(value)) this.changes.push(value);
      else yield* this.endRows(value);
      if (!this.isReadable) return;
    }
    if (this.isInBase) yield* this.takeRows();
  }

  /** Ends the rows at a commit line or an unreadable line. Without a commit line, only rows of the base are yielded. */
  private *endRows(value: unknown): Generator<SnapshotEntry> {
    const commit = snapshotCommit.safeParse(value);
    this.isReadable = commit.success;
    if (this.isInBase || commit.success) yield* this.takeRows();
    if (!commit.success) return;
    this.isInBase = false;
    yield { kind: 'commit', position: commit.data, end: this.nextOffset };
  }

  private *takeRows(): Generator<SnapshotEntry> {
    if (this.changes.length > 0) yield { kind: 'rows', changes: this.changes };
    this.changes = [];
  }
}

/**
 * Reads a snapshot file entry by entry, up to the first unreadable line. Updates that are complete before that line are
 * valid, and the edge reads later updates from the database.
 * @throws Error with a `code` if the file cannot be read
 */
export async function* readSnapshot(path: string): AsyncGenerator<SnapshotEntry> {
  let body: SnapshotBody | undefined;
  for await (const lines of readLines(path)) {
    if (!body) {
      const firstLine = lines.shift() ?? '';
      const value = parseJson(firstLine);
      const header = snapshotHeader.safeParse(value);
      if (!header.success) return yield* readEarlierFormat(value, Buffer.byteLength(firstLine));
      yield { kind: 'header', installationId: header.data.installationId, isEarlierFormat: false };
      body = new SnapshotBody(Buffer.byteLength(firstLine) + 1);
    }
    yield* body.read(lines);
    if (!body.isReadable) return;
  }
}

/** Reads the format of earlier builds, which is one JSON text. */
function* readEarlierFormat(value: unknown, end: number): Generator<SnapshotEntry> {
  const { data } = earlierSnapshot.safeParse(value);
  if (!data) return;
  yield { kind: 'header', installationId: data.installationId, isEarlierFormat: true };
  yield { kind: 'rows', changes: data.changes };
  yield { kind: 'commit', position: { revision: data.revision, lastChange: null }, end };
}
