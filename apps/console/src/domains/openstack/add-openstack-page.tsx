import { example } from '../../ui/form/example.ts'
import { Input } from 'antd'
import { connectionNameMax, openstack } from '@gantry/contract/openstack/openstack'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { GoTo, to, useGo, useParam } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useOpenCluster, whyShared } from './open-cluster.tsx'

/** A connection for the cluster in the address; it is tested at Keystone before it is saved. */
export function AddOpenStackPage() {
  const env = useParam('env_uuid')
  const { query } = useOpenCluster()
  const back = to('open-stack', {}, { env })
  return (
    <Page
      narrow
      title={t('route-open-stack-add')}
      about={t('openstack-ui-add-about')}
      crumbs={[{ label: t('route-open-stack'), to: back }]}
    >
      <Loaded query={query}>
        {(all) => {
          const shared = whyShared(all.find(({ uuid }) => uuid === env))
          return shared ? (
            <EmptyState type={6} title={t('openstack-ui-shared')} memo={shared} />
          ) : (
            <OpenStackForm env={env} />
          )
        }}
      </Loaded>
    </Page>
  )
}

function OpenStackForm({ env }: { env: string }) {
  const go = useGo()
  const back = to('open-stack', {}, { env })
  const create = useWrite(openstack.create, { done: 'create-success', quiet: true })
  return (
    <Form
      schema={openstack.create.body}
      submit={t('ui-save')}
      needs={openstack.create}
      foot={<GoTo to={back}>{t('openstack-ui-back')}</GoTo>}
      onSubmit={async (body) => {
        await create.mutateAsync({ params: { env }, body })
        go(back)
      }}
    >
      <Field name="name" label={t('openstack-ui-name')} help={t('openstack-ui-name-help')}>
        <Input autoFocus maxLength={connectionNameMax} spellCheck={false} autoComplete="off" />
      </Field>
      <Field name={['keystone', 'authUrl']} label={t('openstack-ui-auth-url')} help={t('openstack-ui-auth-url-help')}>
        <Input inputMode="url" spellCheck={false} autoComplete="off" />
      </Field>
      <Section title={t('openstack-ui-account')}>
        <div>
          <div className="g-columns">
            <Field name={['keystone', 'username']} label={t('openstack-ui-username')}>
              <Input spellCheck={false} autoComplete="off" />
            </Field>
            <Field name={['keystone', 'password']} label={t('openstack-ui-password')}>
              <Input.Password autoComplete="new-password" />
            </Field>
          </div>
          <Field
            name={['keystone', 'userDomainName']}
            label={t('openstack-ui-user-domain')}
            help={t('openstack-ui-domain-help')}
          >
            <Input translate="no" spellCheck={false} autoComplete="off" placeholder={example('Default')} />
          </Field>
          <Field name={['keystone', 'projectName']} label={t('openstack-ui-project')}>
            <Input spellCheck={false} autoComplete="off" />
          </Field>
          <Field
            name={['keystone', 'projectDomainName']}
            label={t('openstack-ui-project-domain')}
            help={t('openstack-ui-domain-help')}
          >
            <Input translate="no" spellCheck={false} autoComplete="off" placeholder={example('Default')} />
          </Field>
        </div>
      </Section>
    </Form>
  )
}
