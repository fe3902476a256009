/**
 * What an agent may do in the namespace of its Jobs: create and delete them, each with a Secret, and see their pods.
 */
export const clusterRules = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'list', 'patch', 'delete'] },
  // Jobs create the pods; with `create` the agent can dry-run one to see whether it would be admitted
  { apiGroups: [''], resources: ['pods'], verbs: ['create', 'list'] },
  // the agent may not read secrets
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] },
]

/** The label of every object that the agent creates. */
export const managedByAgent = { 'app.kubernetes.io/managed-by': 'gantry-build-agent' }
