import { paths } from '../../lib/routing/paths';
import { HeroPreview } from './HeroPreview';
import { landingMessages } from './landing.messages';

const { hero } = landingMessages;

export function Hero() {
  return (
    <section className="hero wrap">
      <div className="promise">
        <h1>{hero.title}</h1>
        <div className="offer">
          <p className="lead">{hero.text}</p>
          <a className="button" href={paths.contact}>
            {hero.action}
          </a>
          <p className="note">{hero.note}</p>
        </div>
      </div>
      <HeroPreview />
    </section>
  );
}
