/** Quotas of teams on clusters. */
export const en = {
  'quotas-below-use-cpu':
    'The stacks of the team have shares of {taken} cores, more than {hard}. Lower those shares first',
  'quotas-below-use-memory':
    'The stacks of the team have shares of {taken} GiB memory, more than {hard}. Lower those shares first',
  'quotas-exceeded-cpu':
    'The team may have {hard} cores on this cluster, {taken} are given to stacks, and this needs {wanted}. Free {free} cores, or ask an administrator for more',
  'quotas-exceeded-memory':
    'The team may have {hard} GiB memory on this cluster, {taken} are given to stacks, and this needs {wanted}. Free {free} GiB, or ask an administrator for more',
  'quotas-share-needed-cpu':
    'The team has a quota of {hard} cores on this cluster, so the stack needs a share: at most {left} cores are left',
  'quotas-share-needed-memory':
    'The team has a quota of {hard} GiB memory on this cluster, so the stack needs a share: at most {left} GiB are left',
  'quotas-unshared-cpu':
    'These stacks have no share of CPU and could take any number of cores: {stacks}. Give each a share before the team is limited to {hard} cores',
  'quotas-unshared-memory':
    'These stacks have no share of memory and could take any amount: {stacks}. Give each a share before the team is limited to {hard} GiB',
  'quotas-below-running-cpu':
    'What runs of the team takes {taken} cores at present, more than {hard}. Free {free} cores first',
  'quotas-below-running-memory':
    'What runs of the team takes {taken} GiB memory at present, more than {hard}. Free {free} GiB first',
} as const
