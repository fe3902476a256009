export { clusterOf, mustUse } from './environments.service.ts'
export { sandboxEnvironment } from './environments.store.ts'
export { mustHaveAlone, namespacesSeen } from './reach.service.ts'
