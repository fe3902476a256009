import { topics } from '@gantry/contract/push/topics'
import type { Cluster } from '../../adapters/kube/pool.ts'
import type { Ctx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { labels } from './naming.ts'

/** How long after the last look at a cluster its changes are still told. */
const interestMs = 120_000
/** Changes of one service within this are told together. */
const gatherMs = 300

interface Watch {
  until: number
}

const watches = new Map<string, Watch>()

/**
 * Somebody looks at services of this cluster: from now on, and for two minutes, what changes of their pods is told on the push channel. The
 * message says that something changed; the figures are a read away.
 */
export function watchPods(ctx: Ctx, environment: string, cluster: Cluster): void {
  const until = Date.now() + interestMs
  const running = watches.get(environment)
  if (running) {
    running.until = until
    return
  }
  const watch = { until }
  watches.set(environment, watch)
  const lease = cluster.need('pods')
  const changed = new Map<string, number>()
  const stop = lease.on(({ type, row, previous }) => {
    const service = row.labels[labels.service]
    const team = Number(row.labels[labels.team])
    if (service === undefined || !(team > 0)) return
    if (type === 'changed' && previous.serving === row.serving && previous.status === row.status) return
    changed.set(service, team)
  })
  const timer = setInterval(() => {
    const told = [...changed]
    changed.clear()
    for (const [service, teamId] of told)
      emit(ctx, { topic: topics.service(Number(service)), teamId, content: { serviceId: Number(service) } }).catch(
        (error: unknown) => ctx.log.warn({ err: error }, 'a change of pods was not told'),
      )
    if (Date.now() < watch.until) return
    clearInterval(timer)
    stop()
    lease.release()
    watches.delete(environment)
  }, gatherMs)
  timer.unref()
}
