import type { WebhookRule } from '@gantry/contract/pipelines/triggers'
import type { Reason } from '../../../kernel/phrase.ts'
import type { ForgeEvent } from './forges/report.ts'
import { anyGlob, anyPath } from './globs.ts'

/** Why the event does not match the rule; undefined if it does. Unknown paths match. */
export function mismatch(rule: WebhookRule, event: ForgeEvent): Reason | undefined {
  const { kind, branch, tag, paths, mergeRequest, skip } = event
  if (!rule.events.includes(kind)) return { key: 'pipelines-trigger-other-event', vars: {} }
  if (mergeRequest?.fork && !rule.forks) return { key: 'pipelines-trigger-fork', vars: { number: mergeRequest.number } }
  const isTag = kind === 'tag'
  const name = isTag ? tag : branch
  if (!anyGlob(isTag ? rule.tags : rule.branches)(name)) return { key: 'pipelines-trigger-other-ref', vars: { name } }
  if (skip !== undefined) return { key: 'pipelines-trigger-skip', vars: { words: skip } }
  if (rule.paths.length > 0 && paths !== null && !isTag && !paths.some(anyPath(rule.paths)))
    return { key: 'pipelines-trigger-other-paths', vars: {} }
  return undefined
}
