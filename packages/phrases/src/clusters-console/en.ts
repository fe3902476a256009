/** The cluster screens. */
export const en = {
  'state-credentials': 'refused',
} as const
