import { getBrand } from '../../lib/page/brand';
import { paths } from '../../lib/routing/paths';
import { PageMessage } from '../../ui/layout/PageMessage';
import { appMessages } from '../app.messages';

const { title, text, action } = appMessages.notFound;

export const meta = () => [{ title: `${title} · ${getBrand()}` }];

export default function NotFoundPage() {
  return (
    <PageMessage title={title} text={text}>
      <a href={paths.home}>{action}</a>
    </PageMessage>
  );
}
