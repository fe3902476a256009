import { useQueries } from '@tanstack/react-query'
import { monitoring, type Expression, type Measured } from '@gantry/contract/monitoring/metrics'
import { call, callingTeam } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import type { Range, RangeQuery } from './range.ts'

/** The measured object: a cluster and its hosts, or an object of a team. */
export type Of =
  | { kind: 'cluster'; env: string; host?: string }
  | { kind: 'team'; teamId: number; env: string; service?: number; pod?: string; container?: string }

export interface Metric {
  data: Measured | undefined
  error: unknown
  refetch: () => unknown
}

function ask(of: Of, expression: Expression, range: RangeQuery, signal: AbortSignal): Promise<Measured> {
  if (of.kind === 'cluster') {
    const { env, host } = of
    const query = { ...range, ...(host === undefined ? {} : { host }) }
    return call(monitoring.ofCluster, { params: { env, metrics: expression }, query }, signal)
  }
  const { kind: _, teamId, env, ...narrowed } = of
  const query = { ...range, ...narrowed }
  return call(monitoring.query, { params: { tenant: teamId, env, expression }, query }, signal)
}

/** A query key for all charts, because two equivalent calls differ in name. */
const key = ['GET', 'metrics'] as const

export const refreshMetrics = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key })

/** Several expressions of one object over one range, each read separately, so that a failed one leaves the others. */
export function useMetrics(of: Of, expressions: readonly Expression[], { query, every }: Range): Metric[] {
  return useQueries({
    queries: expressions.map((expression) => ({
      queryKey: [...key, of, expression, query, callingTeam()] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        if (query === undefined) throw new Error('no range')
        return ask(of, expression, query, signal)
      },
      enabled: query !== undefined,
      refetchInterval: every,
      placeholderData: (before: Measured | undefined) => before,
    })),
  })
}
