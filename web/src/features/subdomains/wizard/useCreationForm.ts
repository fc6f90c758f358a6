import { useNavigate } from 'react-router';
import { evictFields } from '../../../lib/graphql/client/evictFields';
import { getSiteHost } from '../../../lib/hosts/host';
import { notify } from '../../../lib/notifications/notification';
import { notifySaved } from '../../../lib/notifications/notifySaved';
import { markRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { toVersionsPath } from '../../../lib/routing/paths';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { useCreateSubdomainMutation } from '../generated/subdomains';
import { emptySubdomain, servesVersions, subdomainSchema, toSubdomainInput } from '../subdomainForm';
import { subdomainsMessages as messages } from '../subdomains.messages';
import { useTargetCheck } from '../target/useTargetCheck';

/** The form of a new subdomain. After a save, a notification says whether the site responds or has no version yet. */
export function useCreationForm(onCreated: () => void) {
  const navigate = useNavigate();
  const [create] = useCreateSubdomainMutation({ update: evictFields('overview') });
  const checkTarget = useTargetCheck();
  const form = useAppForm({
    draft: 'subdomains:novo',
    initial: emptySubdomain,
    schema: subdomainSchema,
    scope: 'page',
    failureMessage: messages.failure.create,
    messageFrom: 'details',
    onInvalid: ({ subdomain, description }) =>
      subdomain.trim() === '' || description.trim() === '' ? messages.form.required : null,
    send: async (values) => {
      const { data } = await create({ variables: { input: toSubdomainInput(values) } });
      markRecentlyCreated(data?.createSubdomain.subdomain);
      return data?.createSubdomain;
    },
    onSaved: (created) => {
      form.reset(emptySubdomain);
      onCreated();
      if (!created) return;
      const { subdomain, live = null } = created;
      const publish = () => void navigate(toVersionsPath(subdomain));
      if (servesVersions(created))
        notify(messages.success.created, {
          note: messages.success.noVersion,
          action: { label: messages.success.publish, run: publish },
        });
      else void notifySaved(messages.success.created, getSiteHost(subdomain), live, () => checkTarget(subdomain));
    },
  });
  return form;
}
