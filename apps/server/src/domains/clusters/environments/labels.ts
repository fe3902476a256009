/**
 * Labels of what is made in a cluster for the whole of it, and not for a stack: volumes, classes, what an agent needs. By
 * the environment's id, which no other installation shares, a complete delete finds exactly these again.
 */
export const madeFor = (environment: string): Record<string, string> => ({
  'app.kubernetes.io/managed-by': 'gantry',
  [environmentLabel]: environment,
})

export const environmentLabel = 'gantry.dev/environment'

/** Where the manifest puts the agent of a cluster that nobody reaches, and what all of it is called. */
export const agentNamespace = 'gantry-system'
export const agentName = 'gantry-agent'
