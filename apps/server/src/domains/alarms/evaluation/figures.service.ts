import type { AlarmMetric, Condition } from '@gantry/contract/alarms/conditions'
import type { Ctx } from '../../../kernel/context.ts'
import { latestUse } from '../../monitoring/public.ts'
import { type ServiceHealth, healthOfServices } from '../../stacks/public.ts'
import { restartsSeen } from './evaluate.store.ts'
import { countRestarts, SeenRestarts } from './restarts.ts'

/** Figures of one service; null where there is none. */
type Figures = Record<AlarmMetric, number | null>

export interface Figure {
  /** By service id, without services that do not run. */
  figures: Map<number, Figures>
  restarts: { service: number; seen: SeenRestarts }[]
  /** Whether the cluster answers, and whether its source of metrics does. */
  cluster: boolean
  metrics: boolean
}

const nothing: Figures = { cpu_percent: null, memory_percent: null, unavailable: null, restarts: null }

const ofLimit = (values: readonly number[] | undefined, limit: number): number | null =>
  values === undefined || values.length === 0 || limit === 0 ? null : (100 * Math.max(...values)) / limit

async function useOf(ctx: Ctx, clusterId: string, vitals: ReadonlyMap<number, ServiceHealth>) {
  const running = [...vitals].flatMap(([id, { runs, name, namespace }]) => (runs ? [{ id, name, namespace }] : []))
  if (running.length === 0) return new Map<string, number[]>()
  const use = await latestUse(ctx, clusterId, running)
  if (!use) return undefined
  const by = Map.groupBy(use, ({ service, resource }) => `${service} ${resource}`)
  return new Map([...by].map(([key, all]) => [key, all.map(({ value }) => value)]))
}

/**
 * All figures of what is watched on one cluster, from one read of its pods and one of its metrics, however many rules
 * need them. If the cluster does not answer, every figure is null.
 */
export async function figuresOf(
  ctx: Ctx,
  clusterId: string,
  serviceIds: readonly number[],
  { now, asksMetrics }: { now: number; asksMetrics: boolean },
): Promise<Figure> {
  const vitals = await healthOfServices(ctx, clusterId, serviceIds)
  if (!vitals)
    return { figures: new Map(serviceIds.map((id) => [id, nothing])), restarts: [], cluster: false, metrics: true }
  const use = asksMetrics ? await useOf(ctx, clusterId, vitals) : new Map<string, number[]>()
  const seen = new Map((await restartsSeen(ctx.db, serviceIds)).map((row) => [row.serviceId, row.seen]))
  const result: Figure = { figures: new Map(), restarts: [], cluster: true, metrics: use !== undefined }
  for (const [id, { runs, wanted, ready, limits, restarts: counts }] of vitals) {
    if (!runs) continue
    const counted = countRestarts(SeenRestarts.safeParse(seen.get(id)).data, counts, now)
    result.restarts.push({ service: id, seen: counted.after })
    result.figures.set(id, {
      cpu_percent: ofLimit(use?.get(`${id} cpu`), limits.cpu),
      memory_percent: ofLimit(use?.get(`${id} memory`), limits.memory),
      unavailable: Math.max(0, wanted - ready),
      restarts: counted.restarts,
    })
  }
  return result
}

const compare: Record<Condition['operator'], (value: number, threshold: number) => boolean> = {
  '>': (value, threshold) => value > threshold,
  '>=': (value, threshold) => value >= threshold,
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
}

export const holds = ({ operator, threshold }: Condition, value: number | null): boolean | null =>
  value === null ? null : compare[operator](value, threshold)
