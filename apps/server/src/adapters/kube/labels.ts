/** Keys of labels, and of taints, that the product puts on objects of a cluster. */
export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  name: 'app.kubernetes.io/name',
  team: 'gantry.dev/team',
  stack: 'gantry.dev/stack',
  /** Which of a stack's services; whose stack, the namespace says. */
  service: 'gantry.dev/service',
  revision: 'gantry.dev/revision',
  zone: 'gantry.dev/zone',
  environment: 'gantry.dev/environment',
  /** Of hosts: the team that has them to itself. */
  dedicated: 'gantry.dev/dedicated',
  /** Of hosts: they take the traffic of ingress controllers. */
  ingress: 'gantry.dev/ingress',
} as const

export const annotations = {
  /** Of a pod template: another value starts its pods anew. */
  restartedAt: 'gantry.dev/restarted-at',
  content: 'gantry.dev/content',
  /** Of a pod template: what it reads of the configuration centre; another value starts its pods anew. */
  configuration: 'gantry.dev/configuration',
  /** Of exported objects: what the document of their service says and Kubernetes has no field for. An import reads it. */
  document: 'gantry.dev/document',
  /** Counts how often the default driver was chosen: of two that are marked, that with the higher turn is meant. */
  defaultTurn: 'gantry.dev/default-turn',
} as const

/** On all that the product makes. */
export const managed = { [labels.managedBy]: 'gantry' } as const

/** On the product's own server, in whichever cluster it runs. */
export const serverLabel = { key: 'gantry.dev/component', value: 'server' } as const

/**
 * Of what is made in a cluster for the whole of it, and not for a stack: volumes, classes, what an agent needs. By the
 * environment's id, which no other installation shares, a complete delete finds exactly these again.
 */
export const madeFor = (environment: string): Record<string, string> => ({
  ...managed,
  [labels.environment]: environment,
})
