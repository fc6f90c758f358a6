import { Verdict } from '../../../ui/feedback/Verdict';
import { routesMessages } from '../gateway-routes.messages';
import type { TestRouteMutation } from '../generated/gateway-routes';

const { testing: messages } = routesMessages;

/** The response that the edge would give to the tested request, and the steps that lead to it. */
export const TestVerdict = ({ verdict }: { verdict: TestRouteMutation['testRoute'] }) => (
  <Verdict
    label={messages.verdict}
    isAllowed={verdict.allowed}
    title={verdict.allowed ? messages.allowed : messages.refused(verdict.status)}
    text={verdict.error}
    steps={verdict.steps.map(({ step, state, detail }) => ({
      name: messages.steps[step],
      state,
      stateText: messages.states[state],
      detail,
    }))}
    facts={[{ label: messages.target, values: verdict.target ? [verdict.target] : [], copyLabel: messages.copyTarget }]}
  />
);
