import { demandOf, worseOf, type Demand, type Sized } from '@gantry/contract/stacks/demand'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { QuotaBar } from '../../../ui/chart/meters.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import styles from './stacks.module.css'

/** Rounded cores and GiB, because sums of tenths are not exact. */
export const figure = (value: number): number => Math.round(value * 100) / 100

const none: Demand = { cpu: 0, memory: 0 }

interface Wanted {
  teamId: number
  envId: string
  /** The stack's id or UUID. */
  stack: number | string
  /** The present service; absent for a new one. */
  now?: Pick<ServiceDetail, 'spec' | 'takes'> | undefined
  /** The wanted service; absent while the input is invalid. */
  next: Sized | undefined
  /** The upgrade can be undone, so that both versions must fit. */
  undoable?: boolean
  /** The usage of a copy during the upgrade. */
  beside?: Demand | undefined
}

export interface Share {
  query: { data: Stack | undefined; error: unknown; refetch: () => unknown }
  /** The most that all services of the stack would use; undefined if unknown. */
  after: Demand | undefined
  /** Why it does not fit, with what to free; undefined if it fits. */
  short: string | undefined
}

/** The most that a stack's services use with one of them changed, as the server computes it, including surge. */
export function afterChange(
  stack: Pick<Stack, 'used'>,
  { now, next, undoable, beside = none }: Omit<Wanted, 'teamId' | 'envId' | 'stack'>,
): Demand | undefined {
  if (!next) return undefined
  const was = now?.takes ?? none
  const will = undoable && now ? worseOf(demandOf(next), demandOf(now.spec)) : demandOf(next)
  return {
    cpu: figure(stack.used.cpu - was.cpu + will.cpu + beside.cpu),
    memory: figure(stack.used.memory - was.memory + will.memory + beside.memory),
  }
}

/** What a demand lacks to fit into a share, as text; undefined if it fits. */
export function shortOf(quota: Stack['quota'], after: Demand | undefined): string | undefined {
  if (!after) return undefined
  for (const resource of ['cpu', 'memory'] as const) {
    const hard = quota[resource]
    if (hard !== null && after[resource] > hard + 0.001)
      return t(`stacks-ui-short-${resource}`, { free: figure(after[resource] - hard), hard })
  }
  return undefined
}

/** A stack's share before and after a change of one service. */
export function useShare(wanted: Wanted): Share {
  const { teamId, envId, stack } = wanted
  const query = useRead(stacks.get, { params: { teamId, envId, stackId: stack } })
  const after = query.data && afterChange(query.data, wanted)
  return { query, after, short: query.data && shortOf(query.data.quota, after) }
}

/** The share of the stack, cores and memory, now and after the change. */
export function ShareAfter({ share }: { share: Share }) {
  return (
    <Loaded query={share.query}>
      {(stack) => (
        <div className={styles.share} aria-live="polite">
          <ShareMeter resource="cpu" used={stack.used} quota={stack.quota} after={share.after} />
          <ShareMeter resource="memory" used={stack.used} quota={stack.quota} after={share.after} />
          <p className="g-faint g-small">{t('stacks-ui-share-surge')}</p>
          <Problem text={share.short} />
        </div>
      )}
    </Loaded>
  )
}

interface MeterProps {
  resource: 'cpu' | 'memory'
  used: Demand
  quota: { cpu: number | null; memory: number | null }
  after?: Demand | undefined
}

export function ShareMeter({ resource, used, quota, after }: MeterProps) {
  const label = t(`stacks-ui-${resource}`)
  const unit = t(`stacks-ui-unit-${resource}`)
  const total = quota[resource]
  const will = after && figure(after[resource])
  const now = figure(used[resource])
  if (total === null)
    return (
      <div className="g-meter-head">
        <span>{label}</span>
        <span className="g-num">
          {will === undefined || will === now
            ? t('stacks-ui-unlimited', { used: now, unit })
            : t('stacks-ui-unlimited-after', { used: now, after: will, unit })}
        </span>
      </div>
    )
  return (
    <QuotaBar
      label={label}
      unit={unit}
      used={now}
      total={total}
      {...(will === undefined || will === now ? {} : { after: will })}
    />
  )
}
