import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Destination } from '../../features/backups';
import { getErrorCode } from '../../platform/errors/error-details';
import { toAuthority } from '../../platform/net/authority';
import { createGuardedLookup } from '../../platform/net/guarded-lookup';
import { findTargetRefusal } from '../../platform/net/own-address';
import { fsyncPath } from '../../platform/secrets/secret-file';

export interface BackupStore {
  /** Stores a file under a new name. A failure leaves no partial object. */
  write: (name: string, file: string) => Promise<void>;
  /** Copies a stored object into a new file. @throws MissingObjectError */
  read: (name: string, file: string) => Promise<void>;
  /** Removes an object. A missing object is not an error. */
  remove: (name: string) => Promise<void>;
}

/** The bucket or folder has no object with the name. */
export class MissingObjectError extends Error {}

const PART_BYTES = 16 * 1024 * 1024;

export const openStore = (destination: Destination, ownPorts: readonly number[]): BackupStore =>
  destination.type === 's3' ? createS3Store(destination, ownPorts) : createFolderStore(destination.folder);

/**
 * Creates a folder and its missing parents. With `recursive`, Node would retry for ever below a folder that refuses
 * new folders with `ENOENT`, such as `/proc`.
 */
async function createFolder(folder: string): Promise<void> {
  const create = () =>
    mkdir(folder, { mode: 0o700 }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  try {
    await create();
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder || getErrorCode(error) !== 'ENOENT') throw error;
    await createFolder(parent);
    await create();
  }
}

function createFolderStore(folder: string): BackupStore {
  return {
    async write(name, file) {
      await createFolder(folder);
      const path = join(folder, name);
      const temporaryFile = `${path}.partial`;
      try {
        await copyFile(file, temporaryFile);
        await chmod(temporaryFile, 0o600);
        fsyncPath(temporaryFile);
        await rename(temporaryFile, path);
        fsyncPath(dirname(path));
      } finally {
        await rm(temporaryFile, { force: true });
      }
    },
    async read(name, file) {
      await copyFile(join(folder, name), file).catch((error) => {
        throw error.code === 'ENOENT' ? new MissingObjectError(name, { cause: error }) : error;
      });
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

type S3Destination = Extract<Destination, { type: 's3' }>;

/** Creates agents that check the address of each connection, because DNS may change after the plan was saved. */
function createAgents({ endpoint }: S3Destination, ownPorts: readonly number[]) {
  const { host, port } = toAuthority(new URL(endpoint));
  const isAllowed = (address: string) => findTargetRefusal(address, port, ownPorts) === undefined;
  // Node calls no lookup for an IP address, so this address is checked here.
  if (isIP(host) && !isAllowed(host)) throw new Error(`${host} is not allowed`);
  const lookup = createGuardedLookup(isAllowed);
  return { httpAgent: new HttpAgent({ lookup }), httpsAgent: new HttpsAgent({ lookup }) };
}

function createS3Store(destination: S3Destination, ownPorts: readonly number[]): BackupStore {
  const { endpoint, region, bucket: Bucket, forcePathStyle, accessKeyId, secretAccessKey } = destination;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Services that are compatible with S3 often do not know the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 15_000, requestTimeout: 120_000, ...createAgents(destination, ownPorts) },
  });
  return {
    async write(Key, file) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      try {
        const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
        for await (const Body of createReadStream(file, { highWaterMark: PART_BYTES })) {
          const PartNumber = Parts.length + 1;
          const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
          Parts.push({ ETag, PartNumber });
        }
        await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
      } catch (error) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
        throw error;
      }
    },
    async read(Key, file) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error) => {
        throw error.name === 'NoSuchKey' ? new MissingObjectError(Key, { cause: error }) : error;
      });
      if (!(Body instanceof Readable)) throw new Error('the object has no body');
      await pipeline(Body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
