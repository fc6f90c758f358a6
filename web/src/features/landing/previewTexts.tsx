/** A wavy pencil line of a given length, which stands for a text in the sketch. */
const drawScribble = (x: number, y: number, length: number) => {
  const waves = Math.max(1, Math.floor(length / 12));
  return `M${x} ${y}q3-5 6 0${'t6 0'.repeat(waves * 2 - 1)}`;
};

interface TextProps {
  x: number;
  y: number;
  width: number;
  size?: number;
  className?: string;
  children?: string | number;
}

/** A text in three looks: scribbled, as a grey bar, and written. CSS shows one look in each stage. */
export function Text({ x, y, width, size = 13, className = 'txt', children }: TextProps) {
  return (
    <>
      <path className="scr" d={drawScribble(x, y - size / 3, width)} />
      <rect className="bar" x={x} y={y - size * 0.75} width={width} height={size * 0.72} rx={size * 0.36} />
      {children && (
        <text className={className} x={x} y={y} fontSize={size}>
          {children}
        </text>
      )}
    </>
  );
}

/** A text centred at `x`, without the scribble and the bar of the early stages. */
export const Centred = ({ className, x, y, size, children }: Omit<TextProps, 'width'>) => (
  <text className={className} x={x} y={y} fontSize={size} textAnchor="middle">
    {children}
  </text>
);

export function Chip({ x, y, width, size = 12, children }: Omit<TextProps, 'className'>) {
  return (
    <>
      <rect className="chip" x={x} y={y - size * 1.25} width={width} height={size * 1.9} rx={size * 0.95} />
      <Centred className="chip-t" x={x + width / 2} y={y} size={size}>
        {children}
      </Centred>
    </>
  );
}
