import type { Trigger, TriggerEvent } from '@gantry/contract/pipelines/triggers'
import { t } from '../../../api/language.ts'

/** When a trigger starts builds, in a line. */
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
