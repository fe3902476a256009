import type { Cluster } from '../cluster.ts'
import { kinds } from '../objects/kinds.ts'
import type { Change } from '../store/store.ts'

/**
 * Reconciles one kind of object with its specification, a step at a time. `reconcile` reads the stored state, so that
 * it may be called at any time and after a restart of the sandbox.
 */
export interface Controller {
  name: string
  /** `<namespace>/<name>` of the objects to reconcile after this change. */
  affected(cluster: Cluster, change: Change): Iterable<string>
  /** `later` requests another call after this number of milliseconds, at the latest. */
  reconcile(cluster: Cluster, namespace: string, name: string, later: (ms: number) => void): void
}

export interface Loop {
  stop(): void
}

/** The longest delay of a timer. */
const longest = 2 ** 31 - 1

export function runControllers(cluster: Cluster, controllers: Controller[], onError: (error: unknown) => void): Loop {
  const queue = new Map<string, { controller: Controller; key: string }>()
  const timers = new Map<string, { due: number; timer: NodeJS.Timeout }>()
  let scheduled: NodeJS.Immediate | undefined

  const enqueue = (controller: Controller, key: string): void => {
    queue.set(`${controller.name} ${key}`, { controller, key })
    scheduled ??= setImmediate(drain)
  }

  const later = (controller: Controller, key: string, ms: number): void => {
    if (!Number.isFinite(ms)) return
    const id = `${controller.name} ${key}`
    const due = Date.now() + Math.max(ms, 0)
    const known = timers.get(id)
    if (known && known.due <= due) return
    clearTimeout(known?.timer)
    const wake = (): void => {
      timers.delete(id)
      enqueue(controller, key)
    }
    timers.set(id, { due, timer: setTimeout(wake, Math.min(Math.max(ms, 0), longest)) })
  }

  // One batch per turn of the event loop, so that requests are answered in between.
  const drain = (): void => {
    scheduled = undefined
    const batch = [...queue.values()]
    queue.clear()
    for (const { controller, key } of batch) {
      const slash = key.indexOf('/')
      try {
        controller.reconcile(cluster, key.slice(0, slash), key.slice(slash + 1), (ms) => later(controller, key, ms))
      } catch (error) {
        onError(error)
        later(controller, key, 5000)
      }
    }
  }

  const look = (change: Change): void => {
    for (const controller of controllers)
      for (const key of controller.affected(cluster, change)) enqueue(controller, key)
  }
  for (const { resource } of kinds)
    for (const object of cluster.store.list(resource))
      look({ version: cluster.store.version(), type: 'ADDED', resource, object })
  const unsubscribe = cluster.store.subscribe(look)

  return {
    stop() {
      unsubscribe()
      clearImmediate(scheduled)
      for (const { timer } of timers.values()) clearTimeout(timer)
    },
  }
}

export const keyOf = ({ metadata }: Change['object']): string => `${metadata.namespace ?? ''}/${metadata.name}`

/** The keys of controllers of this kind that own the changed object, now or before the change. */
export function owners({ object, previous }: Change, kind: string): string[] {
  const found = [object, previous].flatMap(
    (one) =>
      one?.metadata.ownerReferences
        ?.filter((owner) => owner.controller && owner.kind === kind)
        .map((owner) => `${one.metadata.namespace}/${owner.name}`) ?? [],
  )
  return [...new Set(found)]
}
