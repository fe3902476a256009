export { clusterOf, mustUse } from './connect.service.ts'
export { sandboxEnvironment } from './environments.store.ts'
export { madeFor } from './marks.ts'
export { mustHaveAlone, namespacesSeen } from './reach.service.ts'
