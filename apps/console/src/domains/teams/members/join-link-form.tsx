import { Input, Select } from 'antd'
import { z } from 'zod'
import { joinLinks, type JoinLink } from '@gantry/contract/teams/join-links'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { Time } from '../../../ui/time.tsx'
import { noRole, RoleSelect } from '../roles/role-select.tsx'
import styles from './members.module.css'

/** A link with its address, which is shown only once. */
export type MadeLink = z.output<typeof joinLinks.create.data>

const { hours, email } = joinLinks.create.body.shape
const schema = z.strictObject({ role: z.number(), hours, email })

const validHours = [1, 8, 24, 72, 168]
const words = (count: number) =>
  count < 24 ? t('teams-ui-join-hours-some', { count }) : t('teams-ui-join-days-some', { count: count / 24 })

interface JoinLinkFormProps {
  teamId: number
  onClose: () => void
  onDone: (made: MadeLink) => void
}

/** Creates a link to join, and shows the open ones. */
export function JoinLinkForm({ teamId, onClose, onDone }: JoinLinkFormProps) {
  const params = { id: teamId }
  const open = useRead(joinLinks.list, { params })
  const create = useWrite(joinLinks.create, { quiet: true })
  return (
    <>
      <Form
        schema={schema}
        initial={{ hours: 24 }}
        submit={t('teams-ui-join-create')}
        needs={joinLinks.create}
        onCancel={onClose}
        onSubmit={async ({ role, ...rest }) =>
          onDone(await create.mutateAsync({ params, body: { roleId: role === noRole ? null : role, ...rest } }))
        }
      >
        <p className="g-dialog-text">{t('teams-ui-join-about')}</p>
        <Field name="role" label={t('teams-ui-role')} help={t('teams-ui-add-role-help')}>
          <RoleSelect teamId={teamId} orNone />
        </Field>
        <Field name="hours" label={t('teams-ui-join-hours')} filled>
          <Select className="g-select" options={validHours.map((value) => ({ value, label: words(value) }))} />
        </Field>
        {open.data?.mail && (
          <Field name="email" label={t('teams-ui-join-email')} help={t('teams-ui-join-email-help')}>
            <Input type="email" maxLength={254} autoComplete="off" />
          </Field>
        )}
      </Form>
      <OpenLinks teamId={teamId} links={open.data?.links ?? []} />
    </>
  )
}

function OpenLinks({ teamId, links }: { teamId: number; links: readonly JoinLink[] }) {
  const revoke = useWrite(joinLinks.revoke)
  if (links.length === 0) return null
  const nameOf = ({ email, by }: JoinLink) => email || t('teams-ui-join-one', { by })
  const roleOf = ({ leader, roleName }: JoinLink) =>
    leader ? t('teams-ui-leader') : roleName || t('teams-ui-role-none')
  return (
    <section className={styles.links}>
      <h3>{t('teams-ui-join-open')}</h3>
      <ul>
        {links.map((link) => (
          <li key={link.id}>
            <span>
              {nameOf(link)} · {roleOf(link)}{' '}
              <small className="g-faint">
                {t('teams-ui-join-expires')} <Time at={link.expiresAt} />
              </small>
            </span>
            <Button
              needs={joinLinks.revoke}
              label={t('teams-ui-join-revoke-of', { name: nameOf(link) })}
              onClick={() => revoke.mutate({ params: { id: teamId, linkId: link.id } })}
            >
              {t('teams-ui-join-revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
