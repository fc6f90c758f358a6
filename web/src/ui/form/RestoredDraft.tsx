import { Button, chakra } from '@chakra-ui/react';
import { uiMessages } from '../ui.messages';

export interface RestoredDraftProps {
  /** Whether fields of the draft were saved with other values after the draft was started. */
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
