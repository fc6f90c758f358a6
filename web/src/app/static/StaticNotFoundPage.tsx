import { getBrand } from '../../lib/page/brand';
import { paths } from '../../lib/routing/paths';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import { appMessages } from '../app.messages';
import css from './not-found.css?inline';

const { title, text, action } = appMessages.notFound;
const [contact] = appMessages.visitor;

export const meta = () => [{ title: `${title} · ${getBrand()}` }, { name: 'robots', content: 'noindex' }];

/** `/404`: the BFF sends this page with status 404 for every path that has neither a file nor a screen. */
export default function StaticNotFoundPage() {
  return (
    <section className="not-found wrap">
      <style href="not-found" precedence="page">
        {css}
      </style>
      <SevenTicks first={5} last={5} />
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <p className="ways">
        <a className="button" href={paths.home}>
          {action}
        </a>
        <a href={contact.to}>{contact.label}</a>
      </p>
    </section>
  );
}
