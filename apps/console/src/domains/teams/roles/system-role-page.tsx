import { Input } from 'antd'
import { useId, useState } from 'react'
import { session, type PermissionModule } from '@gantry/contract/auth/session'
import { systemRoles, type SystemRole } from '@gantry/contract/teams/roles'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { systemRoleName } from '../../../api/role-names.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { PermissionEditor } from './permission-editor.tsx'
import styles from './permission-table.module.css'

/** The permissions of an existing system role (`role`), or of a new one, which may copy another (`from`). */
export function SystemRolePage() {
  const [{ role: given, from }] = useUrlState({ role: '', from: '' })
  const list = useRead(systemRoles.list, {})
  const catalogue = useRead(session.catalogue, {}, { staleMs: 300_000 })
  const role = list.data?.find(({ id }) => id === Number(given))
  const origin = list.data?.find(({ id }) => id === Number(from))
  return (
    <Page
      title={role ? systemRoleName(role.name) : given === '' ? t('roles-ui-system-create') : t('route-sys-role-edit')}
      about={t('roles-ui-system-role-about')}
      crumbs={[{ label: t('route-sys-roles'), to: to('sys-roles') }]}
    >
      {list.data && given !== '' && !role ? (
        <Failed error={new Error(t('system-role-missing'))} />
      ) : (
        <Loaded query={catalogue}>
          {(modules) => (
            <Loaded query={list}>
              {() => (
                <Editor
                  key={`${given} ${from} ${role?.revision ?? ''}`}
                  role={role}
                  origin={origin}
                  modules={modules}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  )
}

interface EditorProps {
  role: SystemRole | undefined
  origin: SystemRole | undefined
  modules: readonly PermissionModule[]
}

function Editor({ role, origin, modules }: EditorProps) {
  const go = useGo()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const name = typed ?? role?.name ?? ''
  const [problem, setProblem] = useState('')
  const options = { done: 'update-success-role', quiet: true } as const
  const create = useWrite(systemRoles.create, options)
  const update = useWrite(systemRoles.update, options)
  const builtIn = role?.builtIn ? t('system-role-built-in', { name: systemRoleName(role.name) }) : undefined
  const back = () => go(to('sys-roles'))
  const save = async (chosen: ReadonlySet<string>) => {
    const body = { name: name.trim(), permissions: [...chosen] }
    setProblem('')
    try {
      if (role) await update.mutateAsync({ params: { roleId: role.id }, body: { ...body, revision: role.revision } })
      else await create.mutateAsync({ body })
      back()
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <>
      {builtIn === undefined ? (
        <div className={styles.name}>
          <label htmlFor={id}>{t('teams-ui-role-name')}</label>
          <Input
            id={id}
            aria-describedby={`${id}-help`}
            value={name}
            maxLength={15}
            autoFocus={!role}
            status={problem === '' ? '' : 'error'}
            onChange={(event) => setTyped(event.target.value)}
          />
          <small id={`${id}-help`}>{t('roles-ui-name-help')}</small>
        </div>
      ) : (
        <p className="g-note">{builtIn}</p>
      )}
      <Problem text={problem} />
      <PermissionEditor
        modules={modules}
        first={new Set(role?.permissions)}
        initial={new Set((role ?? origin)?.permissions)}
        dirty={name !== (role?.name ?? '')}
        closed={() => builtIn}
        disabled={builtIn ?? (name.trim() === '' && t('name-required'))}
        saving={create.isPending || update.isPending || create.isSuccess || update.isSuccess}
        onCancel={back}
        onSave={(chosen) => void save(chosen)}
      />
    </>
  )
}
