import { isFull } from '../full.ts'
import { settle } from './installation.ts'
import type { Marks, Reported } from './oracle.ts'
import { openRoot } from './people.ts'
import { noRoles } from './roles.ts'
import { openRun } from './runner.ts'
import { openSocketRun } from './sockets.ts'
import { openWorld } from './world.ts'

/** Sequences of letters that occur in no word, id or hash. */
const marks: Marks = { ours: 'qzjxa', theirs: 'qzjxb', secret: 'Vq8Zt3Kpw5' }

/** Calls that no run is expected to reach, with the reason. */
export const outOfReach: Record<string, string> = {
  'POST /api/v2/ldaps/validate': 'needs a directory that answers; src/domains/ldap tests it with one',
  'GET /api/v2/ldaps/:id/search': 'needs a directory that answers',
  'POST /api/v2/ldaps/:id/import': 'needs a directory that answers',
  'POST /api/v2/pipelines/:id/triggers/:triggerId/hook':
    'needs a forge that answers; src/domains/pipelines/triggers tests it',
  'POST /api/agent/jobs/:jobId/steps/:step/code-quality':
    'needs a code quality server that answers; src/domains/code-quality tests it with one',
  'POST /api/agent/jobs/:jobId/steps/:step/code-quality/result': 'needs an analysis of a code quality server',
  'POST /api/jira/configs': 'needs a Jira that answers; src/domains/trackers tests it with a simulated one',
  'PUT /api/jira/configs/:id': 'needs a connection to a Jira',
  'DELETE /api/jira/configs/:id': 'needs a connection to a Jira',
  'POST /api/jira/configs/:id/check': 'needs a connection to a Jira',
  'POST /api/jira/verification': 'needs a Jira that answers',
  'GET /api/jira/projects': 'needs a connection to a Jira',
  'GET /api/jira/issues/transitions': 'needs a connection to a Jira',
  'PUT /resource-manager/api/environments/:uuid/cluster':
    'needs another cluster at the address of a joined one; src/domains/clusters/clusters tests it',
  'POST /orchestration/api/tenants/:t/applications/:appId/sync/stackCheck':
    'needs a workload that the product did not make; src/domains/blueprints/takeovers tests it',
  'PUT /orchestration/api/tenants/:t/applications/:appId/sync/stack':
    'needs a workload that the product did not make; src/domains/blueprints/takeovers tests it',
  'PUT /monitor-api/v2/alerts/:alert_id/acknowledge':
    'needs an alarm that fires; src/domains/alarms/evaluation tests it',
  'POST /helm/api/charts/deploy/tenant/:tenantId': 'needs helm and a real cluster; src/domains/helm tests it with both',
  'GET /helm/api/releases/:id/tenant/:tenantId': 'needs a release, and so helm',
  'POST /helm/api/releases/:id/tenant/:tenantId/rollback': 'needs a release, and so helm',
  'DELETE /helm/api/releases/:id/tenant/:tenantId': 'needs a release, and so helm',
}

interface Walk {
  seed: number
  /** Random steps after the state is built and every call has been tried as intended. */
  steps: number
}

export interface Walked {
  findings: Reported[]
  calls: number
  reached: number
  sent: number
  statuses: Record<string, number>
  /** Calls that never succeeded, with their last refusal. */
  unreached: [call: string, refusal: string][]
}

/** One websocket per so many calls. */
const socketEvery = 20
/** One multiplied body per so many calls. */
const swellEvery = 10
/** How often each call is tried as intended before the random steps. The full suite expects nearly all to succeed. */
const tries = isFull ? 12 : 3

/** A run through the whole contract, with its own server and state. */
export async function walk({ seed, steps }: Walk): Promise<Walked> {
  const world = await openWorld(marks)
  const roles = noRoles()
  const { target } = world
  const run = openRun({ target, roles, marks, seed })
  try {
    await settle({ run, world, roles, root: await openRoot(run) })
    await run.reach(tries)
    const sockets = openSocketRun(run, target, roles)
    for (let at = 0; at < steps && target.gone() === undefined; at++) {
      await run.step(at)
      if (at % socketEvery === 0) await sockets.step(steps + at)
      if (at % swellEvery === 0) await run.swell(2 * steps + at)
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

/** The report by which a person can repeat the findings. */
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
