import { chakra, Flex, Input } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { foldAccents } from '../../../lib/format/foldAccents';
import { RowCheckbox } from '../../../ui/cells/RowCheckbox';
import { keysMessages } from '../gateway-keys.messages';
import styles from './PermissionPicker.module.css';
import { createPermissionSets, type PermissionGroup } from './permissionGroups';

const { form: messages } = keysMessages;
/** Up to this number of permissions, all groups are expanded and the search is hidden. */
const MAX_EXPANDED = 12;

interface PermissionPickerProps {
  groups: readonly PermissionGroup[];
  /** Names of the services that require a permission, by permission. */
  services: ReadonlyMap<string, readonly string[]>;
  chosen: readonly string[];
  /** Pass a stable function, so that memoized checkboxes do not render again. */
  onToggle: (permission: string, isOn: boolean) => void;
}

interface PermissionProps extends Pick<PermissionPickerProps, 'onToggle'> {
  permission: string;
  checked: boolean;
}

/** Memoized, so that a click renders only the clicked permission again, and not hundreds of permissions. */
const Permission = memo(function Permission({ permission, checked, onToggle }: PermissionProps) {
  return (
    <RowCheckbox
      label={
        <>
          <code>{permission}</code>
          {permission === '*' && ` ${messages.fullAccess}`}
        </>
      }
      checked={checked}
      onChange={(isOn) => onToggle(permission, isOn)}
    />
  );
});

interface GroupProps extends Pick<PermissionPickerProps, 'services' | 'onToggle'> {
  group: PermissionGroup;
  shownPermissions: readonly string[];
  chosen: ReadonlySet<string>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** A group that expands. Shared permissions stand below the names of their services. */
function Group({ group, shownPermissions, services, chosen, onToggle, isOpen, onOpenChange }: GroupProps) {
  const { kind, name, permissions } = group;
  const sets = kind === 'shared' ? createPermissionSets(shownPermissions, services) : null;
  const renderCheckbox = (permission: string) => (
    <Permission key={permission} permission={permission} checked={chosen.has(permission)} onToggle={onToggle} />
  );
  const count = permissions.filter((permission) => chosen.has(permission)).length;
  return (
    <fieldset className={styles.group} aria-label={messages.group(name)}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => onOpenChange(!isOpen)}>
        <ChevronRight aria-hidden size={16} />
        <strong>{name}</strong>
        <small>{messages.chosenOf(count, permissions.length)}</small>
      </button>
      {isOpen &&
        (sets?.map((set) => (
          <fieldset key={set.services} className={styles.set} aria-label={messages.group(set.services)}>
            <small className={styles.services}>{set.services}</small>
            {set.permissions.map(renderCheckbox)}
          </fieldset>
        )) ??
          shownPermissions.map(renderCheckbox))}
    </fieldset>
  );
}

/** Checkboxes for permissions, in groups. If there are many, a search is shown and only the first group starts open. */
export function PermissionPicker({ groups, services, chosen, onToggle }: PermissionPickerProps) {
  const [search, setSearch] = useState('');
  const [expanded, setExpanded] = useState<Readonly<Record<string, boolean>>>({});
  const hasManyPermissions = groups.reduce((sum, { permissions }) => sum + permissions.length, 0) > MAX_EXPANDED;
  const query = foldAccents(search.trim());
  const matchingGroups = useMemo(
    () =>
      groups
        .map((group) => ({
          group,
          id: `${group.kind} ${group.name}`,
          shownPermissions: group.permissions.filter((permission) =>
            foldAccents(`${permission} ${group.name}`).includes(query),
          ),
        }))
        .filter(({ shownPermissions }) => shownPermissions.length > 0),
    [groups, query],
  );
  const chosenSet = new Set(chosen);
  const isOpenByDefault = (index: number) => !hasManyPermissions || index === 0;

  return (
    <>
      {hasManyPermissions && (
        <Flex wrap="wrap" align="center" rowGap="2" columnGap="4" mt="2" textStyle="xs" color="fg.muted">
          <Input
            flex="0 1 320px"
            type="search"
            aria-label={messages.searchPermissions}
            placeholder={messages.searchPermissions}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              // Enter would submit the form.
              if (event.key === 'Enter') event.preventDefault();
              if (event.key === 'Escape') setSearch('');
            }}
          />
          <span role="status">{messages.chosen(chosen.length)}</span>
        </Flex>
      )}
      <chakra.div layerStyle="scroller" className={styles.groups}>
        {matchingGroups.map(({ group, id, shownPermissions }, index) => (
          <Group
            key={id}
            group={group}
            shownPermissions={shownPermissions}
            services={services}
            chosen={chosenSet}
            onToggle={onToggle}
            isOpen={query !== '' || (expanded[id] ?? isOpenByDefault(index))}
            onOpenChange={(isOpen) => setExpanded((before) => ({ ...before, [id]: isOpen }))}
          />
        ))}
        {matchingGroups.length === 0 && <small>{messages.noPermissionFound}</small>}
      </chakra.div>
      {chosenSet.has('*') && (
        <chakra.p layerStyle="warning" mt="2" role="status">
          {messages.allWarning}
        </chakra.p>
      )}
    </>
  );
}
