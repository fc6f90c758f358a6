import { isAbort } from '../../lib/userError';
import { publish } from './publish';

test('an archive is not sent if its publication was cancelled while its upload URL was created', async () => {
  const send = jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    this.dispatchEvent(new ProgressEvent('load'));
  });
  const source = { kind: 'archive', type: 'application/zip', file: new File(['x'], 'site.zip') } as const;
  const publication = { url: '/u', signal: AbortSignal.abort(), onProgress: () => undefined };
  const error = await publish(source, publication).catch((reason) => reason);
  expect(isAbort(error)).toBe(true);
  expect(send).not.toHaveBeenCalled();
});
