import type { z } from 'zod'
import { type Autoscaling, lookAtAutoscaling } from './scaling/autoscaling.ts'
import type { ExtraContainer } from './spec-container.ts'
import type { JobRules, Rollout, Schedule, Workload } from './spec-run.ts'
import { type ConfigFile, type Configuration, maxFileBytes, type Volume } from './spec-storage.ts'

/** The fields that the rules about several fields check. A deploy step has no image of its own. */
interface Ruled {
  workload?: Workload | undefined
  replicas: number
  files?: ConfigFile[] | undefined
  configuration?: Configuration | undefined
  volumes?: Volume[] | undefined
  containers?: ExtraContainer[] | undefined
  rollout?: Rollout | undefined
  autoscaling?: Autoscaling | undefined
  job?: JobRules | undefined
  schedule?: Schedule | undefined
}

type Tell = (message: string, ...path: (string | number)[]) => void

/** Reports each repetition of an earlier entry, at its place. */
function tellRepeated(rows: readonly { is: string; path: (string | number)[] }[], message: string, tell: Tell): void {
  const seen = new Set<string>()
  for (const { is, path } of rows) {
    if (seen.has(is)) tell(message, ...path)
    seen.add(is)
  }
}

function lookAtPaths({ files = [], volumes = [], containers = [], configuration }: Ruled, tell: Tell): void {
  const rows = (list: string, of: readonly { path: string }[], ...above: (string | number)[]) =>
    of.map(({ path }, at) => ({ is: path, path: [...above, list, at, 'path'] }))
  const templates = rows('templates', configuration?.templates ?? [], 'configuration')
  tellRepeated([...rows('volumes', volumes), ...rows('files', files), ...templates], 'mount-paths-unique', tell)
  for (const [at, { mounts }] of containers.entries())
    tellRepeated(rows('mounts', mounts, 'containers', at), 'mount-paths-unique', tell)
}

function lookAtVolumes({ volumes = [], containers = [] }: Ruled, tell: Tell): void {
  const named = (list: string, of: readonly { name: string }[]) =>
    of.map(({ name }, at) => ({ is: name, path: [list, at, 'name'] }))
  tellRepeated(named('volumes', volumes), 'volume-names-unique', tell)
  tellRepeated(named('containers', containers), 'container-names-unique', tell)
  const known = new Set(volumes.map(({ name }) => name))
  for (const [at, { mounts }] of containers.entries())
    for (const [row, { volume }] of mounts.entries())
      if (!known.has(volume)) tell('volume-unknown', 'containers', at, 'mounts', row, 'volume')
}

function lookAtWorkload(spec: Ruled, tell: Tell): void {
  const { workload = 'deployment', rollout, job, schedule } = spec
  const replicas = spec.autoscaling?.min ?? spec.replicas
  if (workload === 'cronjob' && !schedule) tell('schedule-required', 'schedule', 'cron')
  if (workload !== 'cronjob' && schedule) tell('schedule-only-cronjob', 'schedule')
  if (workload !== 'cronjob' && workload !== 'job' && job) tell('job-only-jobs', 'job')
  if (!rollout) return
  if (workload !== 'deployment') tell('rollout-only-deployment', 'rollout')
  if (rollout.type === 'healthy' && replicas > 0 && rollout.healthy >= replicas)
    tell('rollout-healthy-below-instances', 'rollout', 'healthy')
  const isNone = (share: number | string) => Number.parseInt(String(share), 10) === 0
  if (rollout.type === 'rolling' && isNone(rollout.surge) && isNone(rollout.unavailable))
    tell('rollout-stands-still', 'rollout', 'surge')
}

const bytes = new TextEncoder()

/** The rules about several fields of a service's document; each problem is reported at the field to change. */
export function rulesOf(spec: Ruled, ctx: z.core.$RefinementCtx): void {
  const tell: Tell = (message, ...path) => ctx.addIssue({ code: 'custom', message, path })
  lookAtWorkload(spec, tell)
  lookAtAutoscaling(spec, tell)
  lookAtVolumes(spec, tell)
  lookAtPaths(spec, tell)
  const size = (spec.files ?? []).reduce((sum, { content }) => sum + bytes.encode(content).length, 0)
  if (size > maxFileBytes) tell('files-too-large', 'files')
}

/** Fields that a document with `outward` may have besides, because they have defaults. */
const filledIn = new Set(['outward', 'image', 'registryId', 'resources', 'readiness', 'replicas'])

/** A service either runs an image, or has `outward` and runs nothing. */
export function outwardAlone(spec: { image: string; outward?: object | undefined }, ctx: z.core.$RefinementCtx): void {
  const tell: Tell = (message, ...path) => ctx.addIssue({ code: 'custom', message, path })
  if (!spec.outward) {
    if (spec.image === '') tell('image-required', 'image')
    return
  }
  if (spec.image !== '') tell('outward-alone', 'image')
  for (const [key, value] of Object.entries(spec))
    if (!filledIn.has(key) && value !== undefined && !(Array.isArray(value) && value.length === 0))
      tell('outward-alone', key)
}
