import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import type { Forge } from '@gantry/contract/pipelines/repository-url'
import type { Trigger, TriggerEvent } from '@gantry/contract/pipelines/triggers'
import { t } from '../../../api/language.ts'

/** When a trigger starts builds, on one line. */
export function ruleOf({ rule, follows }: Pick<Trigger, 'rule' | 'follows'>): string {
  switch (rule.kind) {
    case 'webhook':
      return [
        rule.events.map((event) => t(`pipelines-ui-trigger-${event}`)).join(', '),
        ...rule.branches,
        ...rule.tags,
        ...rule.paths,
      ].join(' · ')
    case 'schedule':
      return [rule.cron, rule.zone, ...(rule.branch === '' ? [] : [rule.branch])].join(' · ')
    case 'pipeline':
      return `${follows} · ${t(`pipelines-ui-trigger-on-${rule.on}`)}`
  }
}

export const outcomeOf = ({ outcome, number }: Pick<TriggerEvent, 'outcome' | 'number'>): string =>
  t(`pipelines-ui-trigger-${outcome}`, { number: number ?? '' })

/** The address to which a git host sends events for a pipeline. */
export const hookAddress = ({ uuid }: Pick<Pipeline, 'uuid'>): string =>
  new URL(`/api/v2/pipelines/${uuid}/trigger`, location.origin).href

/** Names of products are the same in every language. */
export const forgeNames: Record<Forge, string> = { gitea: 'Gitea', github: 'GitHub', gitlab: 'GitLab' }

/** The probable git host of an address: most have their product's name in it. */
export const forgeOf = (url: string): Forge =>
  /github/i.test(url) ? 'github' : /gitlab/i.test(url) ? 'gitlab' : 'gitea'
