/** Quotas on screen: what teams may have, have given to stacks, and use. */
export const en = {
  'quotas-ui-quotas': 'Quotas',
  'quotas-ui-about': 'What the team may have of each of its clusters, what of it is given to stacks, and what runs.',
  'quotas-ui-cluster-about':
    'What each team may have of this cluster, what of it is given to its stacks, and what runs.',
  'quotas-ui-search': 'Search by team',
  'quotas-ui-cluster': 'Cluster',
  'quotas-ui-used': '{used} used',
  'quotas-ui-used-unknown': 'used: not known now',
  'quotas-ui-given': '{given} given',
  'quotas-ui-of': 'of {total} {unit} ({percent} %)',
  'quotas-ui-unlimited': 'no limit ({unit})',
  'quotas-ui-key-used': 'used by what runs',
  'quotas-ui-key-given': 'given to stacks',
  'quotas-ui-key-free': 'free',
  'quotas-ui-empty': 'An empty field is no limit.',
  'quotas-ui-none': 'No clusters',
  'quotas-ui-none-memo': 'An administrator assigns clusters to the team; each then has a quota.',
  'quotas-ui-namespace': 'Namespace',
  'quotas-ui-stack': 'Stack',
  'quotas-ui-namespaces': 'Namespaces of the team',
  'quotas-ui-namespaces-about':
    'Each stack has a namespace of its own. The cluster holds it to the share of its stack.',
  'quotas-ui-namespaces-none': 'No namespaces',
  'quotas-ui-namespaces-none-memo': 'The team has no stack here yet.',
} as const
