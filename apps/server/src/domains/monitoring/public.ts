export { latestUse } from './metrics/latest.service.ts'
export { clusterNamed as environmentNamed } from './metrics/scope.read.ts'
export { accessOf, keptCredentials, masked } from './sources/credentials.service.ts'
export type { Sealed } from './sources/sources.store.ts'
