import { t } from '../../../api/language.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { to } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { FirstBuild } from '../onboarding/first-build.tsx'
import { FromRepository, type Made } from '../onboarding/from-repository.tsx'
import { useState } from 'react'
import { CreateByHand } from './create-by-hand.tsx'

const ways = ['repository', 'hand'] as const

/** Creates a pipeline: proposed for a repository, up to its first build, or by hand. */
export function CreatePipelinePage() {
  const [{ from, made: id }, change] = useUrlState({ from: 'repository', made: '' })
  const [made, setMade] = useState<Made>()
  const way = from === 'hand' ? 'hand' : 'repository'
  return (
    <Page
      narrow
      title={t('route-cd-create')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
    >
      {/^\d{1,9}$/.test(id) ? (
        <FirstBuild pipelineId={Number(id)} {...(made?.pipelineId === Number(id) ? { made } : {})} />
      ) : (
        <>
          <ChoiceCards
            label={t('pipelines-onboard-way')}
            choices={ways.map((value) => ({
              value,
              title: t(`pipelines-onboard-way-${value}`),
              memo: t(`pipelines-onboard-way-${value}-memo`),
            }))}
            value={way}
            onChange={(value) => change({ from: value }, { replace: true })}
          />
          {way === 'hand' ? (
            <CreateByHand />
          ) : (
            <FromRepository
              onMade={(made) => {
                setMade(made)
                change({ made: String(made.pipelineId) }, { replace: true })
              }}
            />
          )}
        </>
      )}
    </Page>
  )
}
