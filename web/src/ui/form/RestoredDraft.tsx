import { Button, chakra } from '@chakra-ui/react';
import { uiMessages } from '../ui.messages';

export interface RestoredDraftProps {
  /** The saved values have changed since the draft was typed, in a field that the draft changes. */
  isOutdated: boolean;
  onDiscard: () => void;
}

const { restored, outdated, discard } = uiMessages.draft;

/** A note above a form that shows a draft instead of the saved values. */
export const RestoredDraft = ({ isOutdated, onDiscard }: RestoredDraftProps) => (
  <chakra.p layerStyle="info" role="status">
    {isOutdated ? outdated : restored}{' '}
    <Button variant="plain" onClick={onDiscard}>
      {discard}
    </Button>
  </chakra.p>
);
