export { clusterOf, mustUse, mustUseAlone, wayTo } from './environments/connect.service.ts'
export { folderClaim, folderClaimName, folderVolume } from './host-folders/folder-objects.ts'
export { mustBeOpen } from './host-folders/host-folders.service.ts'
export { driverNames } from './storage/drivers.service.ts'
export {
  lockCluster as lockEnvironment,
  sandboxCluster as sandboxEnvironment,
} from './environments/environments.store.ts'
export { type Publish, publishChanges, type Stop } from './live/watch.ts'
export { namespacesOf } from './live/visibility.read.ts'
export { namespacesSeen } from './live/visibility.service.ts'
export { usableBy } from './environments/environments.store.ts'
export { groupsOf, listKnown } from './environments/groups.ts'
export { giveUpNamespace, holdNamespace, isHeld } from './environments/namespaces.store.ts'
