export { clusterOf, mustUse } from './environments.service.ts'
