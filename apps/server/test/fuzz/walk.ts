import { settle } from './installation.ts'
import type { Marks } from './oracle.ts'
import { openRoot } from './people.ts'
import { noRoles } from './roles.ts'
import { openRun, type Reported } from './runner.ts'
import { openSocketRun } from './sockets.ts'
import { openWorld } from './world.ts'

/** Letters that no word, no id and no hash has in this order. */
const marks: Marks = { ours: 'qzjxa', theirs: 'qzjxb', secret: 'Vq8Zt3Kpw5' }

/** Calls that no walk reaches, and why: each counts as one that was not reached. */
export const outOfReach: Record<string, string> = {
  'POST /api/v2/ldaps/validate': 'needs a directory that answers; src/domains/ldap tests it with one',
  'GET /api/v2/ldaps/:id/search': 'needs a directory that answers',
  'POST /api/v2/ldaps/:id/import': 'needs a directory that answers',
}

interface Walk {
  seed: number
  /** Draws after the state is there and every call has been tried as it should be. */
  steps: number
  /** No draw begins after so many milliseconds of them: a machine that is busy draws less. */
  withinMs: number
}

export interface Walked {
  findings: Reported[]
  calls: number
  reached: number
  sent: number
  statuses: Record<string, number>
  /** Calls that were taken no time, with the last refusal. */
  unreached: [call: string, refusal: string][]
}

/** One websocket for so many calls. */
const socketEvery = 20
/** How often each call is tried as it should be before chance takes over. */
const tries = 12

/** A walk through the whole contract, on a server and a state of its own. */
export async function walk({ seed, steps, withinMs }: Walk): Promise<Walked> {
  const world = await openWorld(marks)
  const roles = noRoles()
  const { target } = world
  const run = openRun({ target, roles, marks, seed })
  try {
    await settle({ run, world, roles, root: await openRoot(run) })
    await run.reach(tries)
    const sockets = openSocketRun(run, target, roles)
    const until = performance.now() + withinMs
    for (let at = 0; at < steps && target.gone() === undefined && performance.now() < until; at++) {
      await run.step(at)
      if (at % socketEvery === 0) await sockets.step(steps + at)
    }
    return {
      findings: run.findings(),
      calls: target.endpoints.length,
      reached: run.reached.size,
      unreached: run.unreached().filter(([call]) => !(call in outOfReach)),
      ...run.figures(),
    }
  } finally {
    run.close()
    await world.close()
  }
}

/** What a person needs to have a finding again. */
export const told = (seed: number, findings: Reported[]): string =>
  findings
    .map(({ rule, what, at, alone, request, answer }) =>
      [
        `${rule}: ${what}`,
        `  request ${at} of GANTRY_FUZZ_SEED=${seed} npm run fuzz${alone ? ', and by itself' : ''}`,
        `  ${request}`,
        `  → ${answer}`,
      ].join('\n'),
    )
    .join('\n\n')
