import type { Outward } from '@gantry/contract/stacks/outward'

/** The specification's names of service types in addresses. */
const spelt = { 'external-service': 'external', lb: 'lb', ingress: 'ingress' } as const

export const kindOf = (text: string): Outward['type'] =>
  text in spelt ? spelt[text as keyof typeof spelt] : 'external'

export const spellingOf = (type: Outward['type']): keyof typeof spelt =>
  type === 'external' ? 'external-service' : type
