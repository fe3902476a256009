import { useState } from 'react'
import { nestedDefaults, NestedZone, NormalZone, zones } from '@gantry/contract/openstack/zones'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Form } from '../../ui/form/form.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Page } from '../../ui/page.tsx'
import { useDelayed } from '../../ui/form/remote-select.tsx'
import { OpenClusterSelect, useOpenCluster, whyShared } from './open-cluster.tsx'
import { nothingEntered, Watch } from './missing-fields.tsx'
import { useChoices } from './use-choices.ts'
import { useOpenStacks } from './use-openstacks.tsx'
import { ZoneFields } from './zone-fields.tsx'

/** The specification's defaults; fields that a normal zone does not have are not sent. */
const initial = {
  type: 'normal' as const,
  k8s: { podVifDriver: nestedDefaults.podVifDriver },
  binding: { driver: nestedDefaults.driver, linkIface: nestedDefaults.linkIface },
}

export function AddZonePage() {
  const clusters = useOpenCluster()
  const shared = whyShared(clusters.chosen)
  const back = to('resourcemanager-zone', {}, { env: clusters.chosen?.uuid })
  return (
    <Page
      narrow
      title={t('route-resourcemanager-zone-add')}
      about={t('zones-ui-add-about')}
      crumbs={[{ label: t('route-resourcemanager-zone'), to: back }]}
    >
      <Loaded query={clusters.query}>
        {() =>
          clusters.chosen === undefined ? (
            <EmptyState
              type={6}
              title={t('openstack-ui-no-environment')}
              memo={t('openstack-ui-no-environment-memo')}
            />
          ) : (
            <>
              <div className="g-bar">
                <OpenClusterSelect clusters={clusters} />
              </div>
              {shared ? (
                <EmptyState type={6} title={t('openstack-ui-shared')} memo={shared} />
              ) : (
                <ZoneForm key={clusters.chosen.uuid} env={clusters.chosen.uuid} />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** Whether the name is taken, checked while it is typed; the constraint decides when it is saved. */
function useNameProblem(env: string, typed: string): string | undefined {
  const name = useDelayed(typed.trim(), 300)
  const fine = NormalZone.shape.name.safeParse(name).success
  const { data } = useRead(
    zones.check,
    { params: { env }, query: { name } },
    { enabled: fine && name === typed.trim(), keep: false },
  )
  return data?.free === false ? t('valid-zone-name-repeat') : undefined
}

function ZoneForm({ env }: { env: string }) {
  const go = useGo()
  const back = to('resourcemanager-zone', {}, { env })
  const [entered, setEntered] = useState(nothingEntered)
  const { nested, missing } = entered
  const openstacks = useOpenStacks(env)
  const choices = useChoices(env, entered.openStackUuid, entered.project)
  const nameProblem = useNameProblem(env, entered.name)
  const create = useWrite(zones.create, {
    done: 'create-success',
    quiet: true,
  })
  return (
    <Loaded query={openstacks}>
      {({ items }) => (
        <Form
          schema={nested ? NestedZone : NormalZone}
          initial={initial}
          submit={t('ui-save')}
          needs={zones.create}
          disabled={
            missing !== ''
              ? t('zones-ui-fill-first', { fields: missing })
              : (nameProblem ?? (choices.waiting && t('zones-ui-waiting')))
          }
          onCancel={() => go(back)}
          onSubmit={async (body) => {
            const made = await create.mutateAsync({ params: { env }, body })
            go(to('resourcemanager-zone-detail', { zone_uuid: made.uuid, env_uuid: env }))
          }}
        >
          <Watch onChange={setEntered} />
          <ZoneFields openstacks={items} choices={choices} nested={nested} nameProblem={nameProblem} />
        </Form>
      )}
    </Loaded>
  )
}
