import { landingMessages } from './landing.messages';
import { DeskScreen, PhoneScreen } from './previewScreens';

const { preview } = landingMessages;

/** The stages of the drawing, each clipped to its days. */
const STAGES = [
  { name: 'sketch', first: 1, last: 1 },
  { name: 'wire', first: 2, last: 3 },
  { name: 'flat', first: 4, last: 5 },
  { name: 'done', first: 6, last: 7 },
];
const phaseByDay = new Map(Object.entries(preview.phases).map(([day, phase]) => [Number(day), phase]));

interface StagedDrawingProps {
  id: string;
  width: number;
  height: number;
  className: string;
  children: React.ReactNode;
}

function StagedDrawing({ id, width, height, className, children }: StagedDrawingProps) {
  const dayWidth = width / 7;
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      <defs>
        <g id={id}>{children}</g>
        {STAGES.map(({ name, first, last }) => (
          <clipPath key={name} id={`${id}-${name}`}>
            <rect x={(first - 1) * dayWidth} width={(last - first + 1) * dayWidth} height={height} />
          </clipPath>
        ))}
      </defs>
      {STAGES.map(({ name }) => (
        <g key={name} clipPath={`url(#${id}-${name})`}>
          <use href={`#${id}`} className={`stage ${name}`} />
        </g>
      ))}
      <path
        className="days"
        d={STAGES.slice(1)
          .map(({ first }) => `M${(first - 1) * dayWidth + 2} 0v${height}`)
          .join('')}
      />
    </svg>
  );
}

/** A drawing of the seven days: a pencil sketch on the left turns into a finished product on the right. */
export function HeroPreview() {
  return (
    <figure className="preview" role="img" aria-label={preview.label}>
      <ol className="ruler" aria-hidden="true">
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <li key={day}>
            <b>{preview.day(day)}</b>
            <span>{phaseByDay.get(day)}</span>
          </li>
        ))}
      </ol>
      <StagedDrawing id="desk" className="desk" width={1120} height={440}>
        <DeskScreen />
      </StagedDrawing>
      <StagedDrawing id="phone" className="phone" width={336} height={312}>
        <PhoneScreen />
      </StagedDrawing>
    </figure>
  );
}
