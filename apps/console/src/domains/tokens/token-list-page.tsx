import { tokens, type ApiToken } from '@gantry/contract/tokens/tokens'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Dialog, confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { SecretDialog } from '../../ui/form/secret-dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { Time } from '../../ui/time.tsx'
import { permissionName, useTeamName } from '../teams/public.tsx'
import { CreateTokenDialog, type MadeToken } from './create-token-dialog.tsx'
import { ReadyLines } from './ready-lines.tsx'
import styles from './tokens.module.css'

/** The team's API tokens. */
export function TokenListPage() {
  const teamId = useTeamId()
  const team = useTeamName()
  const query = useRead(tokens.list, { params: { teamId } })
  const creating = useDialog()
  const details = useDialog<ApiToken>()
  const made = useDialog<MadeToken>()
  const remove = useWrite(tokens.remove, { done: 'delete-success', quiet: true })
  const ask = (token: ApiToken) =>
    confirmDelete({
      title: t('tokens-ui-delete-title', { alias: token.alias }),
      text: t('tokens-ui-delete-text'),
      run: () => remove.mutateAsync({ named: token.alias, params: { id: token.id } }),
    })
  return (
    <ListPage
      title={t('route-team-tokens')}
      about={t('tokens-ui-about', { team })}
      add={{ label: t('tokens-ui-create'), needs: tokens.create, onClick: () => creating.show(true) }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.alias}
      columns={[
        {
          key: 'alias',
          title: t('tokens-ui-alias'),
          cell: (row) => (
            <>
              {row.alias} {row.expired && <StateBadge state="expired" text={t('tokens-ui-expired')} />}
            </>
          ),
        },
        {
          key: 'permissions',
          title: t('tokens-ui-carries'),
          align: 'right',
          width: 120,
          cell: (row) => row.permissions.length,
        },
        { key: 'creator', title: t('tokens-ui-creator'), cell: (row) => row.creator },
        timeColumn('createdAt', t('tokens-ui-created'), { wideOnly: true }),
        {
          key: 'expiresAt',
          title: t('tokens-ui-expires'),
          cell: (row) => (row.expiresAt === null ? t('tokens-ui-expires-never') : <Time at={row.expiresAt} />),
        },
        {
          key: 'lastUsedAt',
          title: t('tokens-ui-used'),
          cell: (row) =>
            row.lastUsedAt === null ? (
              <span className="g-faint">{t('tokens-ui-unused')}</span>
            ) : (
              <Time at={row.lastUsedAt} />
            ),
        },
      ]}
      actions={(row) => [
        { key: 'details', label: t('tokens-ui-details'), icon: 'shield', onClick: () => details.show(row) },
        deleteAction({ needs: tokens.remove, onClick: () => void ask(row) }),
      ]}
      empty={{ type: 'other', title: t('tokens-ui-none'), memo: t('tokens-ui-none-memo') }}
    >
      {!query.isPending && <ReadyLines teamId={teamId} />}
      {creating.open && <CreateTokenDialog teamId={teamId} onClose={creating.hide} onDone={made.show} />}
      {made.open && (
        <SecretDialog
          title={t('tokens-ui-made-title', { alias: made.open.alias })}
          text={t('tokens-ui-made-text')}
          secret={made.open.token}
          onClose={made.hide}
        />
      )}
      {details.open && (
        <Dialog title={t('tokens-ui-details-title', { alias: details.open.alias })} onClose={details.hide}>
          <ul className={styles.list}>
            {details.open.permissions.map((key) => (
              <li key={key}>
                {permissionName(key)} <code>{key}</code>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </ListPage>
  )
}
