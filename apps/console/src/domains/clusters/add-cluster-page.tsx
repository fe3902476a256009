import { Input } from 'antd'
import { environments } from '@gantry/contract/clusters/environments'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Field, Form } from '../../ui/form.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { TeamsSelect } from '../teams/public.tsx'
import { atKubeconfig, KubeconfigFields } from './kubeconfig-fields.tsx'
import './clusters.css'

/** A cluster by its kubeconfig; it is reached and its rights are checked before it is kept. */
export function AddClusterPage() {
  const go = useGo()
  const teamId = useTeamId()
  const back = to('resourcemanager-environments-new')
  const create = useWrite(environments.create, {
    refreshes: [environments.list, environments.ofTeam],
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
        schema={environments.create.body}
        initial={{ teamIds: [teamId] }}
        submit={t('clusters-ui-add-check')}
        onCancel={() => go(back)}
        onSubmit={async (body) => {
          try {
            const made = await create.mutateAsync({ body })
            go(to('cluster-detail', { env_uuid: made.uuid }))
          } catch (error) {
            throw atKubeconfig(error)
          }
        }}
      >
        <Field name="name" label={t('clusters-ui-name')}>
          <Input autoFocus maxLength={30} />
        </Field>
        <KubeconfigFields />
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
