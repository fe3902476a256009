/** Pods and events of a cluster. */
export const en = {
  'pods-loading': 'The cluster is being read for the first time. The list fills in a moment.',
} as const
