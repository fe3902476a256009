import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { subscribe } from '../../kernel/events/events.ts'
import type { Caller } from '../../identity/sessions.ts'
import type { Server } from '../server.ts'

/**
 * Sockets are reauthorized after each event that may have changed permissions, at most this often, and from time to
 * time without one.
 */
const pauseMs = 100
const everyMs = 30_000
/** How many at a time, after a change and in the regular round: each takes some database queries. */
const atOnce = { changed: 8, others: 2 }

interface Holder {
  caller: Caller
  ctx: Ctx
}

/**
 * Database triggers publish this when permissions change. Without an account the change is of a role: of this team, or
 * of the installation.
 */
const accessChanges = {
  path: 'access',
  content: z.object({ accountId: z.number().nullable(), teamId: z.number().nullish() }),
}

/** Returns a function that asks those given, a few at a time; one that is given again before its turn is asked once. */
function asking<T>(few: number, ask: (one: T) => Promise<void>): (more: Iterable<T>) => void {
  const due = new Set<T>()
  let running = 0
  async function run() {
    running += 1
    for (const one of due) {
      due.delete(one)
      await ask(one)
    }
    running -= 1
  }
  return (more) => {
    for (const one of more) due.add(one)
    while (running < few && due.size > 0) void run()
  }
}

/**
 * Reauthorizes open sockets: soon those that a change affects, regularly all of them. `ask` must not throw. Returns a
 * function that stops it.
 */
export function reauthorizeSockets<H extends Holder>(
  { database: { db }, events, log }: Pick<Server, 'database' | 'events' | 'log'>,
  holders: ReadonlySet<H>,
  ask: (holder: H) => Promise<void>,
): () => void {
  const askChanged = asking(atOnce.changed, ask)
  const askOthers = asking(atOnce.others, ask)
  const people = () => [...holders].filter(({ caller }) => caller.actor.kind === 'user')

  let accounts = new Set<number>()
  let teams = new Set<number>()
  let everyone = false
  let soon: NodeJS.Timeout | undefined

  /** Asks the members of the teams, and those who view one as a role or act in it with an API token. */
  async function askTeams(changed: ReadonlySet<number>): Promise<void> {
    const members = await db
      .selectFrom('team_member')
      .select('account_id')
      .where('team_id', 'in', [...changed])
      .execute()
    const ids = new Set(members.map(({ account_id }) => account_id))
    askChanged(people().filter(({ ctx: { actor } }) => ids.has(actor.id) || changed.has(actor.limit?.teamId ?? 0)))
  }

  const askDue = () => {
    const [ofAccounts, ofTeams, ofAll] = [accounts, teams, everyone]
    ;[soon, accounts, teams, everyone] = [undefined, new Set(), new Set(), false]
    askChanged(people().filter(({ caller }) => ofAll || ofAccounts.has(caller.actor.id)))
    if (!ofAll && ofTeams.size > 0)
      askTeams(ofTeams).catch((error: unknown) =>
        log.warn({ err: error }, 'the sockets of a team could not be asked again yet'),
      )
  }
  const unsubscribe = subscribe(events, accessChanges, (change) => {
    if (typeof change?.accountId === 'number') accounts.add(change.accountId)
    else if (typeof change?.teamId === 'number') teams.add(change.teamId)
    else everyone = true
    soon ??= setTimeout(askDue, pauseMs)
  })
  const nowAndThen = setInterval(() => askOthers(people()), everyMs)
  nowAndThen.unref()
  return () => {
    unsubscribe()
    clearInterval(nowAndThen)
    clearTimeout(soon)
  }
}
