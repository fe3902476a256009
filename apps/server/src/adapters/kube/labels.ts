/** Keys of labels and taints that the product puts on objects of a cluster. */
export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  name: 'app.kubernetes.io/name',
  team: 'gantry.dev/team',
  stack: 'gantry.dev/stack',
  /** The service's name within its stack; the namespace identifies the stack. */
  service: 'gantry.dev/service',
  revision: 'gantry.dev/revision',
  zone: 'gantry.dev/zone',
  environment: 'gantry.dev/environment',
  /** On hosts: the team that they are dedicated to. */
  dedicated: 'gantry.dev/dedicated',
  /** On hosts: they receive the traffic of ingress controllers. */
  ingress: 'gantry.dev/ingress',
} as const

export const annotations = {
  /** On a pod template: a changed value restarts its pods. */
  restartedAt: 'gantry.dev/restarted-at',
  content: 'gantry.dev/content',
  /** On a pod template: what it reads of the configuration centre; a changed value restarts its pods. */
  configuration: 'gantry.dev/configuration',
  /** On exported objects: parts of the service's document that Kubernetes has no field for. An import reads it. */
  document: 'gantry.dev/document',
  /** A counter of choices of the default driver: if two are marked as the default, the higher number wins. */
  defaultTurn: 'gantry.dev/default-turn',
} as const

/** On all objects that the product creates. */
export const managed = { [labels.managedBy]: 'gantry' } as const

/** On the product's own server, in whichever cluster it runs. */
export const serverLabel = { key: 'gantry.dev/component', value: 'server' } as const

/**
 * Labels of objects that are created for a whole cluster instead of a stack: volumes, classes, objects of an agent. The
 * environment's id, which no other installation has, lets a complete delete find exactly these.
 */
export const madeFor = (clusterId: string): Record<string, string> => ({
  ...managed,
  [labels.environment]: clusterId,
})
