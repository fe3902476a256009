import { keyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.ts'
import { connections, type Identity, type Lane } from './connection.ts'
import { KubeError } from '../errors.ts'

/**
 * Requests that may wait for a connection; further ones are refused at once. No request waits for a log or a terminal
 * to close.
 */
const maxWaiting: Record<Lane, number> = { calls: 200, watches: 0, sessions: 0 }
/** The most logs and terminals of one team, so that it cannot use up those of other teams. */
export const maxPerTeam = 100

/** Permission to use a connection. */
interface Turn {
  /** Whether it waited for others. */
  queued: boolean
  leave: () => void
}

/** Limits a cluster's connections, in the order of requests. Leaving twice is harmless. */
export function openConnectionLimits(server: () => string) {
  const lane = (name: Lane) => ({
    turns: keyedSemaphore(connections[name]),
    room: connections[name] + maxWaiting[name],
  })
  const lanes = { calls: lane('calls'), watches: lane('watches'), sessions: lane('sessions') }
  const ofTeams = new Map<string, number>()

  /** an identity of a team has only that team's groups */
  return async (name: Lane, identity: Identity | undefined, signal: AbortSignal): Promise<Turn> => {
    const lane = lanes[name]
    const team = name === 'sessions' ? identity?.groups.join(' ') : undefined
    const count = (by: 1 | -1) => {
      lane.room -= by
      if (team === undefined) return
      const open = (ofTeams.get(team) ?? 0) + by
      if (open === 0) ofTeams.delete(team)
      else ofTeams.set(team, open)
    }
    if (team !== undefined && (ofTeams.get(team) ?? 0) >= maxPerTeam)
      throw new KubeError('crowded', server(), `${maxPerTeam} logs and terminals of the team are open`)
    if (lane.room <= 0) throw new KubeError('busy', server(), 'too much is asked for at once')
    const queued = lane.room <= maxWaiting[name]
    count(1)
    let left = false
    const leave = (release: () => void) => {
      if (left) return
      left = true
      count(-1)
      release()
    }
    try {
      const release = await lane.turns('', signal)
      return { queued, leave: () => leave(release) }
    } catch (error) {
      leave(() => {})
      throw error
    }
  }
}
