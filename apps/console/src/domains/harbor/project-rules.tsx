import { harborProjects, type ProjectRules as Rules } from '@gantry/contract/harbor/projects'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { bytes } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'

/** Quota, clean-up and immutable tags of a project: read after its repositories, which do not wait for them. */
export function ProjectRules({ harborId, projectId }: { harborId: number; projectId: number }) {
  const query = useRead(harborProjects.rules, { params: { id: harborId, projectId } })
  return (
    <Section title={t('harbor-ui-rules')} about={t('harbor-ui-rules-about')}>
      <Loaded query={query}>{(rules) => <Facts facts={factsOf(rules)} />}</Loaded>
    </Section>
  )
}

type Rule = Rules['retention'][number]

const factsOf = ({ used, limit, retention, schedule, immutable }: Rules) => [
  {
    label: t('harbor-ui-rules-quota'),
    value:
      limit === null
        ? t('harbor-ui-rules-quota-free', { used: bytes(used) })
        : t('harbor-ui-rules-quota-of', { used: bytes(used), limit: bytes(limit) }),
  },
  ...(retention.length === 0
    ? []
    : [
        {
          label: t('harbor-ui-rules-schedule'),
          value: schedule === '' ? t('harbor-ui-rules-schedule-none') : <span className="g-mono">{schedule}</span>,
        },
      ]),
  {
    label: t('harbor-ui-rules-retention'),
    wide: true,
    value: lines(retention, t('harbor-ui-rules-retention-none'), (rule, patterns) =>
      t('harbor-ui-rule', { what: whatOf(rule), ...patterns }),
    ),
  },
  {
    label: t('harbor-ui-rules-immutable'),
    wide: true,
    value: lines(immutable, t('harbor-ui-rules-immutable-none'), (_, patterns) =>
      t('harbor-ui-rule-immutable', patterns),
    ),
  },
]

function lines(
  rules: readonly Rule[],
  none: string,
  say: (rule: Rule, patterns: { repositories: string; tags: string }) => string,
) {
  if (rules.length === 0) return none
  return rules.map((rule, at) => {
    const said = say(rule, { repositories: patternsOf(rule.repositories), tags: patternsOf(rule.tags) })
    return <div key={at}>{rule.disabled ? t('harbor-ui-rule-disabled', { rule: said }) : said}</div>
  })
}

const patternsOf = (patterns: Rule['tags']): string =>
  patterns
    .map(({ fits, pattern }) => (fits ? (pattern === '**' ? t('harbor-ui-rule-any') : pattern) : notOf(pattern)))
    .join(', ') || t('harbor-ui-rule-any')

const notOf = (pattern: string): string => t('harbor-ui-rule-not', { pattern })

/** An unknown rule is shown with Harbor's name. */
function whatOf({ template, count }: Rule): string {
  const vars = { count: count ?? 0 }
  switch (template) {
    case 'always':
      return t('harbor-ui-keep-always')
    case 'nothing':
      return t('harbor-ui-keep-nothing')
    case 'latestPushedK':
      return t('harbor-ui-keep-pushed', vars)
    case 'latestPulledN':
      return t('harbor-ui-keep-pulled', vars)
    case 'nDaysSinceLastPush':
      return t('harbor-ui-keep-push-days', vars)
    case 'nDaysSinceLastPull':
      return t('harbor-ui-keep-pull-days', vars)
    default:
      return [template, count].filter((word) => word !== null).join(' ')
  }
}
