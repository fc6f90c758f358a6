import { mergeRefs } from '@chakra-ui/react';
import { type AriaAttributes, type ReactNode, type RefCallback, useLayoutEffect, useRef, useState } from 'react';
import { isRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { slideIn } from '../../layout/slideIn';
import styles from './List.module.css';

interface ListRowProps extends AriaAttributes {
  as: 'tr' | 'li';
  /** The id given to `markRecentlyCreated`. */
  id: string;
  ref?: RefCallback<HTMLElement>;
  'data-index': number;
  children: ReactNode;
}

/** A row of a list. A row that was just created slides in and is marked for a moment. */
export function ListRow({ as: Row, id, ref, ...rest }: ListRowProps) {
  const element = useRef<HTMLElement>(null);
  // `isRecent` is read once, because the animation of the mark must not begin again when the list is rendered again.
  const [isRecent] = useState(() => isRecentlyCreated(id));
  useLayoutEffect(() => {
    if (isRecent) slideIn(element.current, { y: -12 });
  }, [isRecent]);
  return (
    <Row ref={isRecent ? mergeRefs(element, ref) : ref} className={isRecent ? styles.recent : undefined} {...rest} />
  );
}
