import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';
import { link } from '../theme/controlRecipes';

/** A link to a page of the console, with the look of Chakra's `Link`. */
export const PageLink = chakra(Link, link);
