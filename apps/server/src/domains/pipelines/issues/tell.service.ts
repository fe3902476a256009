import { pathOfBuild } from '../builds/path.ts'
import type { Tracker } from '../../../adapters/tracker.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { scoped } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reasonOf, say } from '../../../kernel/phrase.ts'
import { publicUrl } from '../../settings/public.ts'
import { findJira, type StoredJira, trackerOf } from '../../trackers/public.ts'
import { type DueIssue, noteUpdate, placeOfBuild, takeDue } from './issues.store.ts'

/** Delays begin at half a minute and double each time: about two hours in total. */
const maxAttempts = 9

interface Delivery {
  due: DueIssue
  tracker: Tracker
}

const issueMissing = ({ due: { key } }: Delivery): Fault => new Fault('missing', 'trackers-issue-missing', { key })

/** An earlier attempt may have commented before it was interrupted, so later ones look for the comment first. */
async function comment(ctx: Ctx, delivery: Delivery): Promise<void> {
  const { due, tracker } = delivery
  const place = await placeOfBuild(ctx.db, due.buildId)
  if (!place) return
  const { number, pipelineId, pipeline, group, groupId, teamId } = place
  const path = pathOfBuild({ teamId, groupId, pipelineId, number })
  const url = `${await publicUrl(ctx)}${path}`
  const commented = due.attempts > 1 && (await tracker.hasComment(due.key, url, ctx.signal))
  if (commented !== true) {
    const text = say('en', 'trackers-comment', { number, pipeline: tracker.plain(`${group} / ${pipeline}`), url })
    if (!(await tracker.comment(due.key, text, ctx.signal))) throw issueMissing(delivery)
  }
  await noteUpdate(ctx.db, due, { commented: true })
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

async function move(ctx: Ctx, delivery: Delivery, wanted: readonly string[]): Promise<void> {
  const { due, tracker } = delivery
  const issue = await tracker.issue(due.key, ctx.signal)
  if (!issue) throw issueMissing(delivery)
  const isThere =
    wanted.some((one) => same(issue.status, one)) || (due.movingTo !== '' && same(issue.status, due.movingTo))
  if (!isThere) {
    const possible = await tracker.transitions(due.key, ctx.signal)
    if (!possible) throw issueMissing(delivery)
    const chosen = wanted
      .map((one) => possible.find(({ name }) => same(name, one)) ?? possible.find(({ status }) => same(status, one)))
      .find((one) => one !== undefined)
    if (!chosen) {
      const names = possible.map(({ name }) => name).join(', ') || '–'
      throw new Fault('conflict', 'trackers-no-transition', {
        key: due.key,
        status: issue.status,
        transition: wanted.join(', '),
        names,
      })
    }
    await noteUpdate(ctx.db, due, { moving_to: chosen.status })
    if (!(await tracker.move(due.key, chosen.id, ctx.signal))) throw issueMissing(delivery)
  }
  await noteUpdate(ctx.db, due, { moved: true })
}

/** Each kind of TAPD item has its own statuses, so several names may be configured; the first that exists counts. */
const wantedOf = ({ kind, transition }: StoredJira): string[] =>
  kind === 'tapd' ? transition.split(/[,，]/).flatMap((one) => one.trim() || []) : [transition]

/** Temporary faults, after which the delivery is tried again. */
const passing = new Set(['trackers-silent', 'trackers-busy'])

async function tellOne(ctx: Ctx, due: DueIssue): Promise<void> {
  // if the connection was deleted meanwhile, its deliveries go with it
  const jira = await findJira(ctx.db, due.jiraId)
  if (!jira) return
  try {
    const delivery = { due, tracker: trackerOf(ctx, jira) }
    if (jira.comment && !due.commented) await comment(ctx, delivery)
    if (jira.transition !== '' && !due.moved) await move(ctx, delivery, wantedOf(jira))
    await noteUpdate(ctx.db, due, { state: 'done', problem: null })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const problem = reasonOf(error)
    if (!passing.has(error.key) || due.attempts >= maxAttempts) {
      await noteUpdate(ctx.db, due, { state: 'failed', problem })
      return
    }
    const seconds = Number(error.vars['seconds'] ?? 0)
    await noteUpdate(ctx.db, due, { problem, again: Math.max(seconds, 30 * 2 ** (due.attempts - 1)) })
  }
}

/** Does all due deliveries. An interrupted one is due again once its lease has expired. */
export async function deliverDue(ctx: Ctx): Promise<void> {
  while (!ctx.signal.aborted) {
    const due = await takeDue(ctx.db)
    if (!due) return
    const own = scoped(ctx)
    await tellOne(own, due).catch((error: unknown) => {
      if (!ctx.signal.aborted) own.log.error({ err: error, issue: due.key }, 'an issue could not be told of a build')
    })
  }
}
