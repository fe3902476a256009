import { namespaces } from '@gantry/contract/harbor/projects'
import { pullSecrets, type SynchronizedNamespace } from '@gantry/contract/harbor/pull-secrets'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { numberColumn } from '../../ui/table/number-column.ts'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'

/** Writes the pull secrets to the team's namespaces at once, and shows the result for each. */
export function RenewRights() {
  const result = useDialog<readonly SynchronizedNamespace[]>()
  const renew = useWrite(pullSecrets.synchronize)
  return (
    <>
      <Button
        icon="key"
        // requires the same permission as the call for a single namespace
        needs={namespaces.sync}
        loading={renew.isPending}
        onClick={() => renew.mutate({}, { onSuccess: (namespaces) => result.show(namespaces) })}
      >
        {t('harbor-ui-renew')}
      </Button>
      {result.open && (
        <Dialog title={t('harbor-ui-renew-title')} width={880} onClose={result.hide}>
          <ResourceTable
            label={t('harbor-ui-renew-title')}
            query={atHand(result.open)}
            rowKey={(row) => `${row.cluster}/${row.namespace}`}
            columns={[
              { key: 'namespace', title: t('harbor-ui-renew-namespace'), cell: (row) => row.namespace, mono: true },
              { key: 'cluster', title: t('harbor-ui-renew-cluster'), cell: (row) => row.cluster },
              { key: 'stack', title: t('harbor-ui-renew-stack'), cell: (row) => row.stack, wideOnly: true },
              numberColumn('secrets', t('harbor-ui-renew-secrets'), { width: 80 }),
              {
                key: 'result',
                title: t('harbor-ui-renew-result'),
                cell: (row) =>
                  row.done ? (
                    <StateBadge state="success" text={t('harbor-ui-renew-done')} />
                  ) : (
                    <>
                      <StateBadge state="failed" text={t('harbor-ui-pull-failed')} />
                      <div className="g-faint">{row.problem}</div>
                    </>
                  ),
              },
            ]}
            empty={{ type: 6, title: t('harbor-ui-renew-none') }}
          />
        </Dialog>
      )}
    </>
  )
}
