export { clusterOf, mustUse } from './connect.service.ts'
export { driverNames } from './drivers.service.ts'
export { sandboxEnvironment } from './environments.store.ts'
export { mustHaveAlone, namespacesSeen } from './reach.service.ts'
