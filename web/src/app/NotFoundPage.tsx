import { brand } from '../ui/brand';
import { PageMessage } from '../ui/PageMessage';
import { appMessages } from './app.messages';

const { title, text, action } = appMessages.notFound;

export const meta = () => [{ title: `${title} · ${brand()}` }];

/** Any address that is no screen. */
export default function NotFoundPage() {
  return (
    <PageMessage title={title} text={text}>
      <a href="/">{action}</a>
    </PageMessage>
  );
}
