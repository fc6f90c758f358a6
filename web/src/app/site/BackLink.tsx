import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router';

/** A link from the page of an entity to its list. */
export const BackLink = ({ to, label }: { to: string; label: string }) => (
  <Link to={to}>
    <ChevronLeft aria-hidden size={16} />
    {label}
  </Link>
);
