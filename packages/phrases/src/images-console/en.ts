/** The registry screens. */
export const en = {
  'images-ui-sandbox-name': '{name} (simulated)',
  'images-ui-none-to-choose': 'The team has no registry yet. Add one under Third-party registries',
} as const
