export { latestUse } from './metrics/latest.service.ts'
export { clusterNamed } from './metrics/scope.read.ts'
export { accessOf, keptCredentials, masked } from './sources/credentials.service.ts'
export type { Sealed } from './sources/sources.store.ts'
