/** What an agent may do in the namespace of its Jobs: make and remove them, each with a Secret, and see their pods. */
export const clusterRules = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'list', 'patch', 'delete'] },
  // made by Jobs alone: whether one would be admitted is asked by trying
  { apiGroups: [''], resources: ['pods'], verbs: ['create', 'list'] },
  // reading them is not for the agent
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] },
]

/** On all that the agent makes. */
export const managedByAgent = { 'app.kubernetes.io/managed-by': 'gantry-build-agent' }
