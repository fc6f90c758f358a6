import { landingMessages } from './landing.messages';
import { Centred, Chip, Text } from './previewTexts';

const { product } = landingMessages.preview;

/** The menu of the product, at the left. */
const DeskMenu = () => (
  <>
    <circle className="ac" cx="36" cy="80" r="12" />
    <Text x={60} y={85} width={72} size={15}>
      {product.menu[0]}
    </Text>
    {product.menu.map((item, index) => (
      <g key={item}>
        <rect className="box" x="26" y={122 + index * 42} width="18" height="18" rx="5" />
        <Text x={60} y={136 + index * 42} width={48 + (index % 2) * 24}>
          {item}
        </Text>
      </g>
    ))}
    <rect className="box" x="26" y="384" width="108" height="30" rx="8" />
  </>
);

/** The bookings of the day with their curve, in the middle. */
const DeskBookings = () => (
  <>
    <Text x={192} y={92} width={190} size={22} className="txt big">
      {product.title}
    </Text>
    <rect className="ac" x="648" y="68" width="128" height="36" rx="8" />
    <Centred className="ac-t" x={712} y={91} size={14}>
      {product.newEntry}
    </Centred>

    <path className="area" d="M192 226v-34l84-14 84 8 84-30 84 6 84-34 84 12 80-22v108z" />
    <path className="curve" d="M192 192l84-14 84 8 84-30 84 6 84-34 84 12 80-22" />
    <path className="ln" d="M192 226h584" />

    {product.rows.map((row, index) => {
      const y = 272 + index * 42;
      return (
        <g key={row.time}>
          <path className="ln" d={`M192 ${y + 18}h584`} />
          <Text x={192} y={y + 4} width={44}>
            {row.time}
          </Text>
          <Text x={268} y={y + 4} width={110 + (index % 3) * 28}>
            {row.client}
          </Text>
          <Text x={500} y={y + 4} width={60} className="txt sub">
            {row.service}
          </Text>
          <Chip x={676} y={y + 4} width={100}>
            {row.state}
          </Chip>
        </g>
      );
    })}
  </>
);

/** A booking as a client makes it, at the right: the fifth day and the third time are chosen. */
const DeskCheckout = () => (
  <>
    <text className="txt big" x="832" y="92" fontSize="22">
      {product.checkout.title}
    </text>
    <text className="txt sub" x="832" y="116" fontSize="14">
      {product.checkout.service}
    </text>
    {product.checkout.days.map(({ weekday, date }, index) => (
      <g key={date}>
        <rect className={index === 4 ? 'hl' : 'well'} x={832 + index * 52} y="138" width="44" height="60" rx="10" />
        <Centred className={index === 4 ? 'hl-t' : 'txt sub'} x={854 + index * 52} y={160} size={12}>
          {weekday}
        </Centred>
        <Centred className={index === 4 ? 'hl-t' : 'txt'} x={854 + index * 52} y={184} size={16}>
          {date}
        </Centred>
      </g>
    ))}
    {product.rows.map((row, index) => (
      <g key={row.time}>
        <rect
          className={index === 2 ? 'slot now' : 'slot'}
          x={832 + (index % 2) * 130}
          y={216 + Math.floor(index / 2) * 48}
          width="122"
          height="38"
          rx="8"
        />
        <Centred className="txt" x={893 + (index % 2) * 130} y={240 + Math.floor(index / 2) * 48} size={14}>
          {row.time}
        </Centred>
      </g>
    ))}
    <rect className="ac" x="832" y="324" width="252" height="44" rx="9" />
    <Centred className="ac-t" x={958} y={351} size={15}>
      {product.checkout.action}
    </Centred>
    <circle className="hl" cx="844" cy="398" r="11" />
    <path className="tick" d="M839 398l4 4 7-8" />
    <text className="txt" x="864" y="403" fontSize="14">
      {product.checkout.done}
    </text>
  </>
);

/** The finished product on a wide screen. */
export function DeskScreen() {
  return (
    <>
      <rect className="sf" x="1" y="1" width="1118" height="438" rx="14" />
      <path className="ln" d="M0 44h1120M160 44v396M800 44v396" />
      <circle className="dot" cx="24" cy="22" r="5" />
      <circle className="dot" cx="42" cy="22" r="5" />
      <circle className="dot" cx="60" cy="22" r="5" />
      <rect className="well" x="824" y="9" width="272" height="26" rx="13" />
      <path className="lock" d="M840 21h10v7h-10zm2 0v-2a3 3 0 0 1 6 0v2" />
      <text className="txt" x="858" y="27" fontSize="13">
        {product.address}
      </text>
      <DeskMenu />
      <DeskBookings />
      <DeskCheckout />
    </>
  );
}

export function PhoneScreen() {
  return (
    <>
      <rect className="sf" x="1" y="1" width="334" height="310" rx="12" />
      <path className="ln" d="M0 36h336" />
      <circle className="dot" cx="16" cy="18" r="4" />
      <circle className="dot" cx="30" cy="18" r="4" />
      <rect className="well" x="248" y="7" width="80" height="22" rx="11" />
      <Centred className="txt" x={288} y={21.5} size={9.5}>
        {product.address}
      </Centred>
      <Text x={16} y={66} width={128} size={18} />
      <path className="area" d="M16 142v-20l44-10 44 6 44-20 44 6 44-14 44 4 40-14v62z" />
      <path className="curve" d="M16 122l44-10 44 6 44-20 44 6 44-14 44 4 40-14" />
      <path className="ln" d="M16 142h304" />
      {product.rows.slice(0, 3).map((row, index) => {
        const y = 172 + index * 32;
        return (
          <g key={row.time}>
            <path className="ln" d={`M16 ${y + 12}h304`} />
            <Text x={16} y={y} width={24} size={12} />
            <Text x={58} y={y} width={60 + (index % 2) * 14} size={12} />
            <Text x={156} y={y} width={50} size={12}>
              {row.service}
            </Text>
            <Chip x={250} y={y} width={70} size={10}>
              {row.state}
            </Chip>
          </g>
        );
      })}
      <rect className="ac" x="16" y="262" width="304" height="36" rx="8" />
      <Centred className="ac-t" x={280} y={283.5} size={10}>
        {product.newEntry}
      </Centred>
    </>
  );
}
