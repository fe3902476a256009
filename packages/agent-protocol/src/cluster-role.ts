/**
 * What an agent may do in the namespace of its Jobs: create and delete them, each with a Secret, see their pods, and open
 * terminals in them.
 */
export const clusterRules = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'list', 'patch', 'delete'] },
  // Jobs create the pods; with `create` the agent can dry-run one to see whether it would be admitted
  { apiGroups: [''], resources: ['pods'], verbs: ['create', 'list'] },
  // the websocket of a terminal begins with a GET, for which newer clusters require `create`
  { apiGroups: [''], resources: ['pods/exec'], verbs: ['create', 'get'] },
  // the agent may not read secrets
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] },
]

/** The label of every object that the agent creates. */
export const managedByAgent = { 'app.kubernetes.io/managed-by': 'gantry-build-agent' }
