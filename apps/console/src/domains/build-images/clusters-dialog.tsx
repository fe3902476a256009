import { Select } from 'antd'
import { useState } from 'react'
import { type BuildImage, buildImages } from '@gantry/contract/build-images/build-images'
import { clusters } from '@gantry/contract/clusters/clusters'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { TeamSelect } from '../teams/public.tsx'

interface ClustersDialogProps {
  image: BuildImage
  onClose: () => void
}

const schema = buildImages.assign.body.pick({ environments: true })

/** The clusters of a team in which an image may be used. An image for all teams is limited for each separately. */
export function ClustersDialog({ image, onClose }: ClustersDialogProps) {
  const [teamId, setTeam] = useState(image.teamId ?? undefined)
  return (
    <Dialog title={t('build-images-ui-clusters-of', { name: image.name })} onClose={onClose}>
      {image.teamId === null && (
        <div className="g-form">
          <label htmlFor="clusters-team">{t('build-images-ui-clusters-team')}</label>
          <TeamSelect
            id="clusters-team"
            none="–"
            {...(teamId === undefined ? {} : { value: teamId })}
            onChange={(chosen) => setTeam(chosen ?? undefined)}
          />
        </div>
      )}
      {teamId !== undefined && <Clusters key={teamId} image={image} teamId={teamId} onClose={onClose} />}
    </Dialog>
  )
}

function Clusters({ image, teamId, onClose }: ClustersDialogProps & { teamId: number }) {
  const query = useRead(clusters.ofTeam, { params: { teamId } })
  const assign = useWrite(buildImages.assign, { done: 'save-success', quiet: true })
  const chosen = image.environments.filter((one) => one.teamId === teamId).map(({ uuid }) => uuid)
  return (
    <Loaded query={query}>
      {(clusters) => (
        <Form
          schema={schema}
          initial={{ environments: chosen }}
          submit={t('ui-save')}
          onCancel={onClose}
          onSubmit={async (body) => {
            await assign.mutateAsync({ named: image.name, params: { t: teamId }, body: { ...body, imageId: image.id } })
            onClose()
          }}
        >
          <Field name="environments" label={t('build-images-ui-clusters')} help={t('build-images-ui-clusters-help')}>
            <Select
              mode="multiple"
              showSearch={{ optionFilterProp: 'label' }}
              options={clusters.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            />
          </Field>
        </Form>
      )}
    </Loaded>
  )
}
