export { takeEvents } from './queue/leases.service.ts'
export { cancelledAmong, extendLeases, type Held } from './queue/leases.store.ts'
export { actorOfBuild } from './builds/builds.service.ts'
export { heldJob } from './queue/held.service.ts'
export { appendLog } from './logs/logs.service.ts'
export {
  createPipeline,
  getPipeline,
  moveRepository,
  removePipeline,
  writeDefinition,
} from './pipelines/pipelines.service.ts'
export { stopBuild, triggerBuild } from './builds/builds.service.ts'
export { readBuild } from './builds/builds.read.ts'
export { createGroup, removeGroup } from './groups/groups.service.ts'
export { imageOfTrigger } from './images/images.store.ts'
export { queued } from './queue/queue.service.ts'
export { readHanded, takeArtifact, takeHanded, takeReport } from './uploads/uploads.service.ts'
export { leaseWork, undeliveredWork } from './builds/work.service.ts'
export { stepOfBuild, imagesOfBuild, runningBuilds } from './builds/builds.store.ts'
