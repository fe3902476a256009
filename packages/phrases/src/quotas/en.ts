/** Quotas of teams on clusters: the limits, the shares of stacks, and the use. */
export const en = {
  // Refusals
  'quotas-below-use-cpu':
    'The team’s stacks have shares of {taken} {taken:core|cores}, more than {hard}. Reduce these shares first.',
  'quotas-below-use-memory':
    'The team’s stacks have shares of {taken} GiB of memory, more than {hard}. Reduce these shares first.',
  'quotas-exceeded-cpu':
    'The team’s quota on this cluster is {hard} {hard:core|cores}. {taken} are allocated to stacks, and this needs {wanted}. Free {free} {free:core|cores}, or ask an administrator to raise the quota.',
  'quotas-exceeded-memory':
    'The team’s quota on this cluster is {hard} GiB of memory. {taken} are allocated to stacks, and this needs {wanted}. Free {free} GiB, or ask an administrator to raise the quota.',
  'quotas-share-needed-cpu':
    'The team has a quota of {hard} {hard:core|cores} on this cluster, so the stack needs a share. {left} {left:core is|cores are} available.',
  'quotas-share-needed-memory':
    'The team has a quota of {hard} GiB of memory on this cluster, so the stack needs a share. {left} GiB are available.',
  'quotas-unshared-cpu':
    'These stacks have no CPU share and could use any number of cores: {stacks}. Give each of them a share before you limit the team to {hard} {hard:core|cores}.',
  'quotas-unshared-memory':
    'These stacks have no memory share and could use any amount: {stacks}. Give each of them a share before you limit the team to {hard} GiB.',
  'quotas-below-running-cpu':
    'The team is currently using {taken} {taken:core|cores}, more than {hard}. Free {free} {free:core|cores} first.',
  'quotas-below-running-memory':
    'The team is currently using {taken} GiB of memory, more than {hard}. Free {free} GiB first.',

  // Screens
  'quotas-ui-quotas': 'Quotas',
  'quotas-ui-about': 'The team’s quota on each cluster, what is allocated to stacks, and what is in use',
  'quotas-ui-cluster-about': 'Each team’s quota on this cluster, what is allocated to its stacks, and what is in use',
  'quotas-ui-search': 'Search by team',
  'quotas-ui-cluster': 'Cluster',
  'quotas-ui-used': '{used} used',
  'quotas-ui-used-unknown': 'usage not known yet',
  'quotas-ui-given': '{given} allocated',
  'quotas-ui-of': 'of {total} {unit} ({percent}%)',
  'quotas-ui-unlimited': 'no limit ({unit})',
  'quotas-ui-key-used': 'in use',
  'quotas-ui-key-given': 'allocated to stacks',
  'quotas-ui-key-free': 'free',
  'quotas-ui-empty': 'Leave a field empty for no limit',
  'quotas-ui-none': 'No clusters',
  'quotas-ui-none-memo': 'Clusters appear here, each with a quota, once an administrator assigns them to the team',
  'quotas-ui-namespace': 'Namespace',
  'quotas-ui-stack': 'Stack',
  'quotas-ui-namespaces': 'Namespaces of the team',
  'quotas-ui-namespaces-about': 'Each stack has its own namespace, which the cluster limits to the share of the stack',
  'quotas-ui-namespaces-none': 'No namespaces',
  'quotas-ui-namespaces-none-memo': 'The team has no stacks on this cluster yet',
}
