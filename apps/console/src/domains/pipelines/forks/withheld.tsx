import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'

/** What the build of a fork's merge request does not get. */
export function Withheld({ build: { pipelineId, number } }: { build: Build }) {
  const { data } = useRead(builds.withheld, { params: { id: pipelineId, number } })
  if (!data) return null
  const { secrets, registries, artifacts, steps } = data
  const names = (some: string[]) => some.join(', ')
  const items = [
    t('pipelines-ui-withheld-secrets', { count: secrets }),
    registries.length > 0 && t('pipelines-ui-withheld-registries', { names: names(registries) }),
    artifacts && t('pipelines-ui-withheld-artifacts'),
    steps.length > 0 && t('pipelines-ui-withheld-steps', { names: names(steps) }),
    t('pipelines-ui-withheld-branch'),
  ]
  return (
    <div className="g-note" role="note" aria-label={t('pipelines-ui-withheld')}>
      {t('pipelines-ui-withheld')}
      <ul>{items.map((item) => item && <li key={item}>{item}</li>)}</ul>
    </div>
  )
}
