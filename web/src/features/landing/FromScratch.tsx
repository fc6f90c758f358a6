import { landingMessages } from './landing.messages';

const { scratch } = landingMessages;

export function FromScratch() {
  return (
    <section className="scratch wrap" aria-labelledby="scratch">
      <header>
        <h2 id="scratch">{scratch.title}</h2>
        <p className="lead">{scratch.text}</p>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{scratch.instead}</th>
            <th scope="col">{scratch.you}</th>
          </tr>
        </thead>
        <tbody>
          {scratch.swaps.map(({ instead, you }) => (
            <tr key={you}>
              <td>
                <span>{instead}</span>
              </td>
              <td>{you}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="promises">
        {scratch.promises.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
