/** Revisions of a service, and the states of an upgrade. */
export const en = {
  // Refusals
  'stacks-not-now-restarting': 'The service {name} is being restarted. Wait until the restart is done.',
  'stacks-not-now-stopped':
    'The service {name} is stopped: it is to have no instance. Scale it up, and it starts again.',
  'stacks-not-now-confirming': 'The upgrade of {name} is being confirmed. Wait until the new version has taken over.',
  'stacks-revision-secrets':
    'Revision {revision} of the service {name} has secrets whose values were not kept at that time. Upgrade the service and enter them.',
  'images-digest-late':
    '{host} did not say in time which digest the tag has. The pods take whatever the tag means when each of them starts.',
  'images-digest-untold':
    '{host} did not say which digest the tag has. The pods take whatever the tag means when each of them starts. Choose a registry of the team, and it is asked with its credentials.',
  'images-digest-none': '{host} has no image {image}. Check the name and the tag.',

  // Screens
  'stacks-ui-upgrade-confirming': 'The new version is taking over',
  'stacks-ui-asked-edit': 'edit',
  'stacks-ui-asked-return': 'return to a revision',
  'stacks-ui-unpinned': 'tag without a digest',
  'stacks-ui-return-exact':
    'This is an upgrade to exactly that revision: its specification, its secret values, and the digests of its images, though their tags have moved since. You then confirm it or roll it back.',
  'stacks-ui-return-digest': 'Its image returns to the digest {digest}',
  'stacks-ui-history': 'History',
  'stacks-ui-history-none': 'Nothing has been asked of this service yet',
  'stacks-ui-history-action': 'Action',
  'stacks-ui-history-result': 'Result',
  'stacks-ui-remove-claims-kept': 'The claims of the service stay with their data: {claims}.',
  'stacks-ui-remove-claims-too': 'Delete the claims too, with all data in them',
  'stacks-ui-remove-forget': 'The cluster is gone: forget the service, and leave its objects where they are',
  'stacks-ui-os': 'Operating system',
  'stacks-ui-more-placement': 'Hosts with Linux or Windows. What else the hosts must be like is written as text.',
}
