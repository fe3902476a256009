import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ShareFields, useClusters } from '../../stacks/public.tsx'
import { paramsOf, toVersions } from '../places.ts'
import { DeployForm } from './deploy-form.tsx'

/** Deploys a blueprint as a stack: inputs, preview, deployment. */
export function DeployPage() {
  const teamId = useTeamId()
  const go = useGo()
  const id = Number(useParam('blueprint_id'))
  const productId = useParam('product_id')
  const productName = useParam('product_name')
  const query = useRead(blueprints.get, { params: { teamId, id } }, { keep: false, staleMs: Infinity })
  const clusters = useClusters(teamId)
  const version = query.data?.version ?? '…'
  return (
    <Page
      narrow
      title={t('blueprints-ui-deploy-title', { product: productName, version })}
      crumbs={[
        { label: t('route-personal-products'), to: to('personal-products') },
        { label: productName, to: toVersions(productId) },
        { label: version, ...(query.data ? { to: to('blueprint', paramsOf(query.data)) } : {}) },
      ]}
    >
      {/* the initial values need the clusters, and loading them later would discard input */}
      <Loaded query={clusters.isLoading ? { ...query, data: undefined } : query}>
        {(blueprint) => (
          <DeployForm
            source={{ blueprintId: blueprint.id }}
            template={blueprint.template}
            clusters={clusters.data ?? []}
            share={<ShareFields under="quota" />}
            onCancel={() => go(to('blueprint', paramsOf(blueprint)))}
            onDone={(keyword) => go(to('product-app', { product_id: blueprint.applicationId }, { keyword }))}
          />
        )}
      </Loaded>
    </Page>
  )
}
