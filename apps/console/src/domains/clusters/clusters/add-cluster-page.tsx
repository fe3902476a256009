import { Input } from 'antd'
import { useState } from 'react'
import { clusters } from '@gantry/contract/clusters/clusters'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { TryForm } from '../../../ui/form/try-form.tsx'
import { TeamsSelect } from '../../teams/public.tsx'
import { RightsList } from './rights-list.tsx'
import { WayChoice, WayFields } from './way-fields.tsx'
import { atField, credentialsIn, credentialsOf, schemaOfAdding, type ConnectionMethod } from './cluster-credentials.ts'

/**
 * Adds a cluster by one of the connection methods; except for an agent's, its rights are checked before it is saved.
 */
export function AddClusterPage() {
  const go = useGo()
  const teamId = useTeamId()
  const [way, setWay] = useState<ConnectionMethod>('kubeconfig')
  const back = to('resourcemanager-environments-new')
  const create = useWrite(clusters.create, {
    done: 'create-success',
    quiet: true,
  })
  return (
    <Page
      narrow
      title={t('route-cluster-add')}
      about={t('clusters-ui-add-about')}
      crumbs={[{ label: t('route-resourcemanager-environments-new'), to: back }]}
    >
      <Form
        schema={schemaOfAdding(way)}
        initial={{ teamIds: [teamId] }}
        submit={t(way === 'agent' ? 'clusters-ui-add-agent' : 'clusters-ui-add-check')}
        onCancel={() => go(back)}
        onSubmit={async ({ name, description, teamIds, ...typed }) => {
          try {
            const body = { name, description, teamIds, ...credentialsIn(way, typed) }
            const { uuid } = await create.mutateAsync({ named: name, body })
            go(to('cluster-detail', { env_uuid: uuid }))
          } catch (error) {
            throw atField(way, error)
          }
        }}
        foot={
          way !== 'agent' && (
            <TryForm
              key={way}
              label={t('clusters-ui-check')}
              fine={t('clusters-ui-check-fine')}
              fields={Object.keys(credentialsOf[way].shape)}
              ask={(typed) => call(clusters.check, { body: credentialsIn(way, typed) })}
            >
              {(check) => <RightsList check={check} />}
            </TryForm>
          )
        }
      >
        <Field name="name" label={t('clusters-ui-name')}>
          <Input autoFocus maxLength={30} />
        </Field>
        <WayChoice way={way} onChange={(next) => next && setWay(next)} />
        <WayFields way={way} />
        <Field name="teamIds" label={t('clusters-ui-teams')} help={t('clusters-ui-teams-help')}>
          <TeamsSelect />
        </Field>
        <Field name="description" label={t('clusters-ui-description')}>
          <Input.TextArea rows={2} maxLength={1000} />
        </Field>
      </Form>
    </Page>
  )
}
