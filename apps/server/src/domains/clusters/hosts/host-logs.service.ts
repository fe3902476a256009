import type { hosts } from '@gantry/contract/clusters/hosts'
import type { z } from 'zod'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf, mustUseAlone } from '../clusters/connect.service.ts'
import { hostLogLine, isNotice } from './host-log.ts'

/** How many lines pages reach back; older lines are found by their time. */
const farthest = 20_000

/** The names that hosts use for the log of each type; the first one that exists is read. */
const services: Record<z.output<(typeof hosts.logs)['query']>['type'], [string, ...string[]]> = {
  kubelet: ['kubelet'],
  containerd: ['containerd'],
  'kube-proxy': ['kube-proxy'],
  system: ['syslog', 'messages'],
}

/** Recognizes the kubelet's answer for an unknown service: unlike lines of a log it has no time. */
const isUnknown = (lines: readonly string[], now: Date): boolean =>
  lines.length <= 3 &&
  lines.some((line) => /no such file|not found|failed to/i.test(line) && hostLogLine(line, now).time === '')

const isoOf = (ms: number): string | undefined => (ms === 0 ? undefined : new Date(ms).toISOString())

/**
 * A page of a host's log, oldest line first; page 1 is the latest. A host's log reveals what all its pods do, so it
 * requires sole use of the cluster.
 */
export async function hostLogs(
  ctx: Ctx,
  env: string,
  host: string,
  { size, from, to, page, type }: z.output<(typeof hosts.logs)['query']>,
) {
  if (from > 0 && to > 0 && from > to) throw new Fault('invalid', 'range-order')
  if (size * page > farthest) throw new Fault('invalid', 'hosts-log-far', { most: farthest })
  await mustUseAlone(ctx, env)
  const { kube } = await clusterOf(ctx, env)
  // one line more than shown tells whether there are more
  const range = { since: isoOf(from), until: isoOf(to), tail: size * page + 1, signal: ctx.signal }
  const now = new Date()
  let lines: string[] | undefined = []
  for (const service of services[type]) {
    try {
      lines = await kube.nodeLog(host, { service, ...range })
    } catch (error) {
      if (isKube(error, 'missing')) throw new Fault('missing', 'hosts-missing', { host })
      // the API server's text if it cannot reach the kubelet
      if (isKube(error, 'server') && error.message.includes('error trying to reach service'))
        throw new Fault('unavailable', 'hosts-log-away', { host })
      throw kubeFault(error)
    }
    if (lines === undefined) throw new Fault('conflict', 'hosts-log-off', { host })
    if (isUnknown(lines, now)) lines = []
    if (lines.length > 0) break
  }
  const entries = lines.filter((line) => line !== '' && !isNotice(line))
  const end = entries.length - size * (page - 1)
  return {
    lines: entries.slice(Math.max(0, end - size), Math.max(0, end)).map((line) => hostLogLine(line, now)),
    more: end - size > 0,
  }
}
